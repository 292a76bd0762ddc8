/** Bounce mails that are hard to read, each as large as the limit for reading one. */
import { limits } from 'crier-server/config.ts'

const most = limits.returnedMailBytes

/** Repeats the unit up to the most bytes that are read. */
export function filled(before: string, unit: string, end = ''): string {
  const room = most - before.length - end.length
  return before + unit.repeat(Math.max(1, Math.floor(room / unit.length))) + end
}

const head = 'From: a@b.example\r\nMIME-Version: 1.0\r\n'
const mixed = `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n`
const status = `${head}Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\n`

const nested = Array.from({ length: 3_000 }, (_, n) => {
  return `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`
})
const continued = Array.from({ length: 12_000 }, (_, n) => `; name*${n}*=a`)

const header = (name: string, units: string[]) =>
  units.map((unit): [string, string] => {
    return [`${name}: ${JSON.stringify(unit)}`, filled(`${head}${name}: `, unit)]
  })
const body = (fields: string, units: string[]) =>
  units.map((unit): [string, string] => {
    return [`${fields} with ${JSON.stringify(unit)}`, filled(`${head}${fields}\r\n\r\n`, unit, 'x')]
  })

export const hostileMails: [what: string, source: string][] = [
  ['a flood of headers', filled(head, 'X-A: b\r\n')],
  ['parts within parts', nested.join('')],
  ['messages within messages', filled('', 'Content-Type: message/rfc822\r\n\r\n')],
  ['a parameter in thousands of pieces', `${head}Content-Type: text/plain${continued.join('')}`],
  ['empty parts', filled(mixed, '--x\r\n\r\n\r\n')],
  ['small parts', filled(mixed, '--x\r\nContent-Type: text/plain\r\n\r\na\r\n')],
  ['small parts of HTML', filled(mixed, '--x\r\nContent-Type: text/html\r\n\r\na\r\n')],
  ['a boundary that never ends', filled(mixed, '--')],
  ['groups of fields', filled(status, 'Action: failed\r\n\r\n')],
  ['folded fields', filled(`${status}Action: failed\r\nX:`, ' \r\n ')],
  ['lines of spaces', filled(status, '\r\n \t')],
  ['a report of an address of at signs', filled(`${head}\r\nHi. This is the\r\n\r\n<`, '@')],
  ['uuencoded files', filled(`${head}\r\n`, 'begin 644 a\r\n')],
  ...header('Subject', ['a ', 'a\r\n ', '=?utf-8?q?a?= ', '=?utf-8?q?a?=', '=?utf-8?q?', '=?']),
  ...header('To', ['a@b.example, ', '"a" <', 'a:', '(', '<a', '@', 'a ', ';', '"', '\\', ',']),
  ...header('Content-Type', ['text/plain; a=b; ', 'a/b; c="', "; name*=utf-8''%", ';', '=']),
  ...header('Date', ['(', '1 ']),
  ...header('Message-ID', ['<', '<a@b> ']),
  ...body('Content-Type: text/html', ['<', '<div>', '<!--', '<style', '<a href="', '&#', '&amp']),
  ...body('Content-Type: text/html', [' ', '\n ', '<br> ', '<td', '<p title="']),
  ...body('Content-Transfer-Encoding: quoted-printable', ['=', '=\r\n', '= \r\n']),
  ...body('Content-Transfer-Encoding: base64', ['A\r\n', '=']),
  ...body('Content-Type: text/plain; format=flowed; delsp=yes', ['a \r\n', '> \r\n', ' ']),
  ...body('Content-Type: text/plain; charset=utf-7', ['+', '+-']),
  ...body('Content-Type: text/plain; charset=iso-2022-jp', ['\x1b$B']),
]
