export interface MessagePart {
  /** Content-Type, with its parameters. */
  readonly type: string;
  /** File name; makes the part an attachment. */
  readonly name?: string;
  readonly content: string | Buffer;
  /** `base64` by default. */
  readonly encoding?: 'base64' | '8bit';
}

export interface Message {
  readonly subject: string;
  readonly parts: readonly MessagePart[];
}

let boundaries = 0;

/** An e-mail message (RFC 5322) with several parts (RFC 2046). */
export function buildMessage({ subject, parts }: Message): Buffer {
  const boundary = `border-${(boundaries += 1)}`;
  const pieces: Buffer[] = [
    Buffer.from(
      `From: Anna <anna@example.com>\r\nTo: bert@example.com\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`,
    ),
  ];
  for (const { type, name, content, encoding = 'base64' } of parts) {
    const disposition = name === undefined ? '' : `Content-Disposition: attachment; filename="${name}"\r\n`;
    const bytes = Buffer.from(content);
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Type: ${type}\r\n${disposition}Content-Transfer-Encoding: ${encoding}\r\n\r\n`,
      ),
      encoding === 'base64' ? Buffer.from(bytes.toString('base64').replace(/.{76}/g, '$&\r\n')) : bytes,
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(pieces);
}
