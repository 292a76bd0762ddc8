/** The CSV files of zip archives, such as the one that Mailchimp sends, in the order of their import. */
import { CrierError } from '@crier-mail/sdk/session'
import { importWords } from '../../words/imports.ts'
import type { Kind } from './upload.ts'

export interface FileToImport {
  file: File
  kind: Kind
}

/** So many files are taken from one archive, and so many bytes of each. */
const mostFiles = 20
const mostBytes = 1_000_000_000

/** The files to import: those that were chosen, and those in archives among them. */
export async function filesToImport(
  chosen: readonly File[],
  kind: Kind,
): Promise<readonly FileToImport[]> {
  const files = await Promise.all(
    chosen.map(async (file) => (/\.zip$/i.test(file.name) ? await unpacked(file) : [file])),
  )
  const found = files.flat().map((file) => ({ file, kind: kindOf(file.name, kind) }))
  return found.toSorted((a, b) => rankOf(a.file.name) - rankOf(b.file.name))
}

/** Addresses that Mailchimp cleaned bounced: they are suppressed, and become no contacts. */
const kindOf = (name: string, kind: Kind): Kind => (/^cleaned_/i.test(name) ? 'suppressions' : kind)

/** Who left comes first, so that nothing after it subscribes them. */
const order = [/^unsubscribed_/i, /^cleaned_/i, /^non-?subscribed_/i, /^subscribed_/i]

function rankOf(name: string): number {
  const rank = order.findIndex((pattern) => pattern.test(name))
  return rank === -1 ? order.length : rank
}

interface Entry {
  name: string
  method: number
  size: number
  start: number
}

async function unpacked(archive: File): Promise<File[]> {
  const entries = await entriesOf(archive).catch(() => {
    throw refused(importWords.badArchive)
  })
  const wanted = entries
    .filter(({ name }) => /\.(?:csv|txt|tsv)$/i.test(name) && !name.startsWith('__MACOSX/'))
    .slice(0, mostFiles)
  if (wanted.length === 0) throw refused(importWords.emptyArchive)
  return Promise.all(wanted.map((entry) => unpack(archive, entry)))
}

const refused = (message: string) => new CrierError({ code: 'invalid_request', message })

const endMark = 0x0605_4b50
const entryMark = 0x0201_4b50
/** The end of an archive, with the longest comment. */
const longestEnd = 22 + 0xffff

/** The list at the end of the archive (APPNOTE.TXT of PKWARE, sections 4.3.12 and 4.3.16). */
async function entriesOf(archive: File): Promise<Entry[]> {
  const tail = await viewOf(archive.slice(-longestEnd))
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== endMark) end--
  const from = tail.getUint32(end + 16, true)
  const list = await viewOf(archive.slice(from, from + tail.getUint32(end + 12, true)))
  const entries: Entry[] = []
  for (let at = 0; at + 46 <= list.byteLength; ) {
    if (list.getUint32(at, true) !== entryMark) throw new Error('no entry')
    const nameLength = list.getUint16(at + 28, true)
    const more = list.getUint16(at + 30, true) + list.getUint16(at + 32, true)
    const bytes = new Uint8Array(list.buffer, list.byteOffset + at + 46, nameLength)
    entries.push({
      name: new TextDecoder().decode(bytes),
      method: list.getUint16(at + 10, true),
      size: list.getUint32(at + 20, true),
      start: list.getUint32(at + 42, true),
    })
    at += 46 + nameLength + more
  }
  return entries
}

const viewOf = async (part: Blob) => new DataView(await part.arrayBuffer())

async function unpack(archive: File, { name, method, size, start }: Entry): Promise<File> {
  const head = await viewOf(archive.slice(start, start + 30))
  const from = start + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const packed = archive.slice(from, from + size)
  const file = name.split('/').at(-1) ?? name
  if (method === 0) return new File([packed], file)
  if (method !== 8) throw refused(importWords.badArchive)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return new File(parts, file)
      bytes += value.length
      if (bytes > mostBytes) break
      parts.push(value)
    }
  } catch {
    throw refused(importWords.badArchive)
  }
  await reader.cancel()
  throw new CrierError({ code: 'too_large', message: importWords.tooLarge })
}
