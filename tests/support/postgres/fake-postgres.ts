/** The few messages of PostgreSQL's protocol (version 3.0) that a test needs to act as a server. */

const oneByteType = 1

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(oneByteType + 4)
  head.write(type)
  head.writeInt32BE(body.length + 4, oneByteType)
  return Buffer.concat([head, body])
}

export const authenticationOk: Buffer = message('R', Buffer.alloc(4))
export const readyForQuery: Buffer = message('Z', Buffer.from('I'))

export function fatal(code: string, text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`))
}

/** The answer to a query of one row, all of whose columns are text. */
export function oneRow(row: Record<string, string>): Buffer {
  const entries = Object.entries(row)
  const count = Buffer.alloc(2)
  count.writeInt16BE(entries.length)
  const columns = entries.map(([name]) => Buffer.concat([Buffer.from(`${name}\0`), textColumn()]))
  const values = entries.map(([, value]) => {
    const size = Buffer.alloc(4)
    size.writeInt32BE(Buffer.byteLength(value))
    return Buffer.concat([size, Buffer.from(value)])
  })
  return Buffer.concat([
    message('T', Buffer.concat([count, ...columns])),
    message('D', Buffer.concat([count, ...values])),
    message('C', Buffer.from('SELECT 1\0')),
    readyForQuery,
  ])
}

/** The description of a column after its name: no table, type text (oid 25), text format. */
function textColumn(): Buffer {
  const column = Buffer.alloc(18)
  column.writeInt32BE(25, 6)
  column.writeInt16BE(-1, 10)
  column.writeInt32BE(-1, 12)
  return column
}
