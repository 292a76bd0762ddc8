/**
 * A message while it is written and, beside it, its body as DKIM signs it. Indented HTML has
 * hundreds of runs of spaces, and to remove them byte by byte cost more than the rest of the
 * building. For pieces that many messages share it is done once.
 */

/** A message, and its body as DKIM signs it. */
export interface Written {
  message: Buffer
  relaxedBody: Buffer
}

/** A piece that many messages share. It begins a line, and carries the form that DKIM signs. */
export interface Shared {
  readonly encoded: Buffer
  readonly relaxed: Buffer
}

/** A buffer for writing one message after another, so that no buffer has to grow each time. */
export class Scratch {
  bytes = Buffer.allocUnsafeSlow(64 * 1024)
  length = 0

  /** Makes room for `more` bytes. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(Math.ceil(needed), this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  add(bytes: Buffer): void {
    this.reserve(bytes.length)
    bytes.copy(this.bytes, this.length)
    this.length += bytes.length
  }

  addShared({ encoded }: Shared): void {
    this.add(encoded)
  }

  /** Adds text that is ASCII. */
  ascii(text: string): void {
    this.reserve(text.length)
    this.length += this.bytes.write(text, this.length, 'latin1')
  }

  /** The written bytes as a buffer of their own. Afterwards the scratch is empty. */
  take(): Buffer {
    const copy = Buffer.from(this.view())
    this.clear()
    return copy
  }

  /** The written bytes in place, valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    // One large message should not make the buffer large for good.
    if (this.bytes.length > 1024 * 1024) this.bytes = Buffer.allocUnsafeSlow(64 * 1024)
  }
}

export class MessageScratch extends Scratch {
  readonly #relaxed = new Scratch()
  /**
   * The length up to which the relaxed form equals the body; a separate copy is written only after
   * the first difference.
   */
  #followed = 0
  #differs = false

  override addShared({ encoded, relaxed }: Shared): void {
    this.#follow()
    this.add(encoded)
    this.#take(encoded, relaxed)
  }

  /** Views of the scratch buffer, valid until the next write. */
  written(): Written {
    this.#follow()
    const message = this.view()
    const all = this.#differs ? this.#relaxed.view() : message
    return { message, relaxedBody: withoutEmptyEnd(all.subarray(all.indexOf('\r\n\r\n') + 4)) }
  }

  override clear(): void {
    super.clear()
    this.#relaxed.clear()
    this.#followed = 0
    this.#differs = false
  }

  /** Processes the bytes that were written directly to the buffer. */
  #follow(): void {
    if (this.#followed === this.length) return
    const chunk = this.bytes.subarray(this.#followed, this.length)
    this.#take(chunk, relaxedLines(chunk))
  }

  #take(chunk: Buffer, relaxed: Buffer): void {
    if (relaxed !== chunk && !this.#differs) {
      this.#differs = true
      this.#relaxed.add(this.bytes.subarray(0, this.#followed))
    }
    if (this.#differs) this.#relaxed.add(relaxed)
    this.#followed = this.length
  }
}

interface Field {
  /** In lower case. */
  name: string
  /** The field as DKIM signs it, without a line end: `name:value`. */
  canonical: string
}

/** Header fields in order. The head ends with a line end and contains no empty line. */
export function fieldsOf(head: string): Field[] {
  const fields: Field[] = []
  for (let start = 0; start < head.length; ) {
    let end = head.indexOf('\r\n', start)
    // A line that begins with white space continues the line before it.
    while (end >= 0 && isBlank(head.charCodeAt(end + 2))) end = head.indexOf('\r\n', end + 2)
    if (end < 0) end = head.length
    const line = head.slice(start, end)
    start = end + 2
    if (line === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error('a line of the head is no field')
    const name = line.slice(0, colon).trimEnd().toLowerCase()
    fields.push({ name, canonical: `${name}:${relaxedValue(line.slice(colon + 1))}` })
  }
  return fields
}

const isBlank = (code: number) => code === 0x20 || code === 0x09

/** Unfolds the value, reduces runs of white space to one space, and trims it (section 3.4.2). */
export function relaxedValue(value: string): string {
  return value
    .replaceAll('\r\n', '')
    .replace(/[ \t]{2,}|\t/g, ' ')
    .replace(/^ | $/g, '')
}

const [cr, lf, space, tab] = [0x0d, 0x0a, 0x20, 0x09]

const runs = ['  ', '\t', ' \r\n'].map((run) => Buffer.from(run))

/** Reduces runs of white space; drops those at line ends and empty last lines (section 3.4.4). */
export function relaxedBody(body: Buffer): Buffer {
  return withoutEmptyEnd(relaxedLines(body))
}

/**
 * Reduces runs of white space to one space and drops those at line ends. Returns the same bytes
 * where nothing changes. It also works on a part of a body that begins a line.
 */
export function relaxedLines(lines: Buffer): Buffer {
  return hasRun(lines) ? withoutRuns(lines) : lines
}

/** From this number of bytes the native search is faster than a loop. */
const searched = 512

function hasRun(lines: Buffer): boolean {
  if (lines.length > searched) return runs.some((run) => lines.includes(run))
  for (let i = 0; i < lines.length; i++) {
    const byte = lines[i] as number
    if (byte > space) continue
    if (byte === tab) return true
    if (byte === space && (lines[i + 1] === space || lines[i + 1] === cr)) return true
  }
  return false
}

function withoutEmptyEnd(compact: Buffer): Buffer {
  let end = compact.length
  while (
    end >= 4 &&
    compact[end - 4] === cr &&
    compact[end - 3] === lf &&
    isLineEnd(compact, end)
  ) {
    end -= 2
  }
  if (end === 2 && isLineEnd(compact, end)) end = 0
  const content = compact.subarray(0, end)
  return end === 0 || isLineEnd(compact, end)
    ? content
    : Buffer.concat([content, Buffer.from('\r\n')])
}

function isLineEnd(body: Buffer, end: number): boolean {
  return body[end - 2] === cr && body[end - 1] === lf
}

function withoutRuns(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length)
  let at = 0
  let waiting = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number
    if (byte === space || byte === tab) {
      waiting = true
      continue
    }
    if (waiting && !(byte === cr && body[i + 1] === lf)) out[at++] = space
    waiting = false
    out[at++] = byte
  }
  return out.subarray(0, at)
}
