/** Pictures made by hand, of any size, so that tests need no decoder. */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

interface Png {
  width: number
  height: number
  /** What the header says, where it lies. */
  says?: { width: number; height: number }
  /** Red, green and blue. */
  colour?: readonly [number, number, number]
  text?: string
}

/** A PNG of one colour, with a text among its metadata. */
export function png({ width, height, says, colour = [67, 56, 202], text = '' }: Png): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(says?.width ?? width, 0)
  header.writeUInt32BE(says?.height ?? height, 4)
  // Eight bits, in three colours.
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x++) row.set(colour, 1 + x * 3)
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}

/** A picture of its own for each word, as base64. */
export function smallPng(word: string): string {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(word).digest()
  return png({ width: 4, height: 3, colour: [red, green, blue], text: word }).toString('base64')
}
