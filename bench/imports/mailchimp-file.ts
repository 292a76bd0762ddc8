/** A file as Mailchimp exports it, in windows-1252, written piece by piece. */
import { open } from 'node:fs/promises'
import { type MailchimpRow, rowOf } from './mailchimp-rows.ts'

const header = [
  'Email Address',
  'First Name',
  'Last Name',
  'Address',
  'Plan',
  'Orders',
  'MEMBER_RATING',
  'OPTIN_TIME',
  'OPTIN_IP',
  'CONFIRM_TIME',
  'CONFIRM_IP',
  'LATITUDE',
  'LONGITUDE',
  'CC',
  'REGION',
  'LAST_CHANGED',
  'LEID',
  'EUID',
  'NOTES',
  'TAGS',
]

const rowsAtOnce = 5_000

export async function writeMailchimpFile(path: string, rows: number): Promise<void> {
  await using file = await open(path, 'wx')
  await file.writeFile(`${header.join(',')}\r\n`)
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - from)
    const lines = Array.from({ length: count }, (_, i) => lineOf(from + i))
    await file.writeFile(windows1252(lines.join('')))
  }
}

function lineOf(n: number): string {
  const row = rowOf(n)
  const cells = cellsOf(n, row)
  if (row.ragged === 'too_long') cells.push('over')
  if (row.ragged === 'short') cells.length = 11
  return `${cells.join(',')}\r\n`
}

function cellsOf(n: number, row: MailchimpRow): string[] {
  return [
    row.email,
    quoted(row.firstName),
    quoted(row.lastName),
    quoted(row.address),
    row.plan,
    String(row.orders),
    String(1 + (n % 5)),
    '2024-03-05 10:20:30',
    row.ip,
    '2024-03-05 10:25:41',
    row.ip,
    '53.9590555',
    '-1.0815361',
    'GB',
    'YOR',
    '2025-11-02 08:15:00',
    String(90_000_000 + n),
    n.toString(16).padStart(10, '0'),
    '',
    quoted('"Newsletter","Spring fair"'),
  ]
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** The characters of windows-1252 in place of Latin-1's controls, as far as the rows use them. */
const beyondLatin1: Readonly<Record<string, number>> = { '“': 0x93, '”': 0x94, '’': 0x92 }

function windows1252(text: string): Buffer {
  const latin1 = text.replaceAll(/[“”’]/g, (entry) => String.fromCharCode(beyondLatin1[entry] ?? 0))
  return Buffer.from(latin1, 'latin1')
}
