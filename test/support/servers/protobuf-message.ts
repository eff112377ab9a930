/** Reads fields by number from a protobuf message (https://protobuf.dev/programming-guides/encoding/). */
export class ProtobufMessage {
  private readonly fields = new Map<number, (bigint | Buffer)[]>();
  private offset = 0;

  constructor(private readonly buffer: Buffer) {
    while (this.offset < buffer.length) {
      const tag = Number(this.varint());
      const field = tag >> 3;
      this.fields.set(field, [...(this.fields.get(field) ?? []), this.value(tag & 7)]);
    }
  }

  has(field: number): boolean {
    return this.fields.has(field);
  }

  messages(field: number): ProtobufMessage[] {
    return (this.fields.get(field) ?? []).map((value) => new ProtobufMessage(value as Buffer));
  }

  bytes(field: number): Buffer {
    return (this.fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
  }

  text(field: number): string {
    return this.bytes(field).toString();
  }

  number(field: number): bigint {
    return (this.fields.get(field)?.[0] as bigint | undefined) ?? 0n;
  }

  double(field: number): number {
    const bits = Buffer.alloc(8);
    bits.writeBigUInt64LE(this.number(field));
    return bits.readDoubleLE();
  }

  private value(wireType: number): bigint | Buffer {
    if (wireType === 0) return this.varint();
    if (wireType === 1) return this.take(8).readBigUInt64LE();
    if (wireType === 2) return this.take(Number(this.varint()));
    return BigInt(this.take(4).readUInt32LE());
  }

  private take(length: number): Buffer {
    this.offset += length;
    return this.buffer.subarray(this.offset - length, this.offset);
  }

  private varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.take(1).readUInt8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}
