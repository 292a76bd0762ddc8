/** Recognises files that are certainly no CSV by their first bytes. */

/** What the file is, and what to upload instead. */
const kinds: readonly { starts: readonly string[]; fault: string }[] = [
  {
    starts: ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'],
    fault:
      'It is a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV, and upload that.',
  },
  {
    starts: ['\u00d0\u00cf\u0011\u00e0'],
    fault: 'It is an Excel workbook of the older kind. Save the sheet as CSV, and upload that.',
  },
  {
    starts: [
      '\u001f\u008b',
      'BZh',
      '\u00fd7zXZ',
      '7z\u00bc\u00af',
      'Rar!',
      '\u0028\u00b5\u002f\u00fd',
    ],
    fault: 'It is a compressed archive. Unpack it, and upload the CSV file in it.',
  },
  {
    starts: ['%PDF-', '{\\rtf'],
    fault: 'This is a document, not a table of contacts. Export the list as CSV, and upload that.',
  },
  {
    starts: ['BEGIN:VCARD'],
    fault: 'It is a file of contact cards (vCard). Export the contacts as CSV, and upload that.',
  },
  {
    starts: ['\u0089PNG', '\u00ff\u00d8\u00ff', 'GIF8'],
    fault: 'It is a picture. Export the list of people as CSV, and upload that.',
  },
]

/** The number of first bytes that decide it. */
export const startLength = 16

export function kindFault(start: Uint8Array): string | undefined {
  const text = Buffer.from(start).toString('latin1')
  return kinds.find(({ starts }) => starts.some((entry) => text.startsWith(entry)))?.fault
}
