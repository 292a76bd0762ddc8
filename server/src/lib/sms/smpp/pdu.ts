/** The frames of SMPP 3.4 (section 3.2): a header of sixteen octets, and a body. */
export const command = {
  bindTransceiver: 0x09,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  enquireLink: 0x15,
  alertNotification: 0x102,
  genericNack: 0x8000_0000,
} as const

/** A response has the number of its command with this bit set (section 5.1.2). */
export const answerBit = 0x8000_0000

export interface Pdu {
  command: number
  status: number
  sequence: number
  body: Buffer
}

const headerLength = 16
/** A message_payload has 64 KiB at most (section 5.3.2.32); the rest is for other fields. */
const longest = 66 * 1024

/** The start of the next frame is no longer known. */
export class BrokenStream extends Error {
  override name = 'BrokenStream'
  /** The complete frames before it in the same chunk. */
  readonly before: readonly Pdu[]

  constructor(message: string, before: readonly Pdu[]) {
    super(message)
    this.before = before
  }
}

/** The content of a frame is invalid. The next frame is not affected. */
export class BadPdu extends Error {
  override name = 'BadPdu'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const noBody = Buffer.alloc(0)

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const frame = Buffer.allocUnsafe(headerLength + body.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(command, 4)
  frame.writeUInt32BE(status, 8)
  frame.writeUInt32BE(sequence, 12)
  body.copy(frame, headerLength)
  return frame
}

export interface PduReader {
  /** The frames that this chunk completes. Throws BrokenStream. */
  read(chunk: Buffer): Pdu[]
}

/** Chunks may be cut anywhere. Each octet is read once. */
export function createPduReader(): PduReader {
  const header = Buffer.alloc(headerLength)
  let body = noBody
  /** Bytes of the header and the body together. */
  let filled = 0

  const begin = (before: readonly Pdu[]): void => {
    const length = header.readUInt32BE(0)
    if (length < headerLength || length > longest) {
      throw new BrokenStream(`a frame of ${length} octets`, before)
    }
    body = length === headerLength ? noBody : Buffer.allocUnsafe(length - headerLength)
  }
  const end = (): Pdu => {
    filled = 0
    return {
      command: header.readUInt32BE(4),
      status: header.readUInt32BE(8),
      sequence: header.readUInt32BE(12),
      body,
    }
  }
  return {
    read(chunk) {
      const pdus: Pdu[] = []
      let at = 0
      while (at < chunk.length) {
        if (filled < headerLength) {
          const copied = chunk.copy(header, filled, at)
          at += copied
          filled += copied
          if (filled < headerLength) break
          begin(pdus)
        } else {
          const copied = chunk.copy(body, filled - headerLength, at)
          at += copied
          filled += copied
        }
        if (filled === headerLength + body.length) pdus.push(end())
      }
      return pdus
    },
  }
}
