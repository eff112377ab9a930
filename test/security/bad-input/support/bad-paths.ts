import { randomUUID } from 'node:crypto';
import { ECHO_MARKER } from './bad-input-runner.js';
import { words } from './bad-values.js';

/** Invalid ids in the encoding of a path, made from a valid one, and an id that does not exist. */
export function badIds(good: string): string[] {
  return words(`
    1 0 -1 x ${ECHO_MARKER} null undefined NaN true * ** . .. ... ~ @me me
    __proto__ constructor toString hasOwnProperty then :fileId {fileId} $1 %24%7B1%7D
    %00 %2F %2f %5C %2e %2e%2e %2e%2e%2f%2e%2e ..%2f..%2fetc%2fpasswd %252F %2500
    %20 %0A %0D%0AX:1 %09 %27 %22 %3Cscript%3E %F0%9F%98%80 %C3%A4 %EF%BB%BF +
    ' '-- %27%20OR%201=1-- 1;DROP %25 %2525 [] [0] {} () a=b a&b a,b ;
    ${good.replaceAll('-', '')} %7B${good}%7D urn:uuid:${good} urn%3Auuid%3A${good} "${good}"
    ${good}0 ${good.slice(1)} ${good}%00 %00${good} ${good}%20 %20${good} ${good}%0A ${good}+
    ${good}.json ${good};x=1 ${good},${good} ${good}%2F ${good}%2F${good} ${good}%3Fa=b
    ${good}' ${good}%27-- g${good.slice(1)} %EF%BC%91${good.slice(1)} ${good}:1 ${good}~
    ${randomUUID()} 00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff
    ${'x'.repeat(8000)}
    %ZZ % %C3 %FF %ED%A0%80 %C0%80 ${good}% ${good}%FF search bulk accept read-all
  `);
}

export const BAD_NUMBERS = words(`
  0 -1 +1 1.0 1e0 0x1 01 %201 1%20 1%00 %D9%A1 99999999999 ${'9'.repeat(400)}
  2147483648 18446744073709551617 NaN x 1; 1,2 3 1%0A Infinity %EF%BC%91
`);

/** Unknown and invalid slugs, made from a valid one and the tenant's id. */
export function badSlugs(good: string, id: string): string[] {
  return words(`
    no-such-tenant x null undefined __proto__ constructor toString . .. %2e%2e *
    %00 ${good}%00 %00${good} ${good}%20 %20${good} ${good}%0A ${good}.json ${good};x=1
    ${good.toUpperCase()} ${good}%2F ${good}%2F..%2F${good} ${good}'-- ${good}%27%20OR%20%271%27=%271
    ${id} %F0%9F%98%80 %C3%A4 ${'x'.repeat(8000)} ${good},${good} ${good}%3F ${good}%23 % %ZZ %FF
  `);
}

/** Paths that resemble the operation's. Ids are not varied, because an id in capitals or percent-encoded is still valid. */
export function similarPaths(target: string, endsWithLiteral: boolean): string[] {
  const segments = target.split('/');
  const last = segments.at(-1) ?? '';
  const before = segments.slice(0, -1).join('/');
  return words(String.raw`
    / // /. /.. /x /%00 /%20 .json . ;x=1 %00 %20 %0A %2F %2Fx %3Fa=1 ' ~ , : \ | %5C %ZZ %FF
  `)
    .map((suffix) => `${target}${suffix}`)
    .concat(
      words(`
        ${before}//${last} ${before}/./${last} ${before}/x/../${last} ${before}/%2e/${last}
        ${before}/%20${last} ${before}%2F${last} /${target} /.${target} /x/..${target}
      `),
      target.replace('/api/', '/API/'),
      target.replace('/v1/', '/v2/'),
      target.replace('/v1/', '/V1/'),
      target.replace('/v1', ''),
      target.replace('/t/', '/T/'),
      target.replace('/t/', '/tenants/'),
      target.replace('/t/', '/t//'),
      endsWithLiteral ? [`${before}/${last.toUpperCase()}`, target.toUpperCase()] : [],
    )
    .filter((path) => path !== target && path.startsWith('/'));
}
