/**
 * A template that was filled in, made a message: tracked, written and signed. The keys lie
 * here and not with what Liquid can reach, which is the recipient and the variables alone.
 */
import { randomUUID } from 'node:crypto'
import { isRefusal } from '../../core/errors.ts'
import { type KeyedHash, keyedHash } from '../../lib/crypto/hmac.ts'
import { signBuilt } from '../../lib/email/dkim.ts'
import { viewOfMessage } from '../../lib/email/message.ts'
import { type Room, takeBuffer } from '../../lib/email/shared-buffers.ts'
import type { Progress } from '../../lib/threads/thread-side.ts'
import { aroundOf, mailOf, toTrack } from '../../messages/composing/mail-of.ts'
import type { Onward, RenderedContent } from '../../templates/thread/answer.ts'
import { templateVariables } from '../../templates/variables.ts'
import type { Link } from '../../tracking/link.ts'
import { preferencesUrl, trackMail } from '../../tracking/track-mail.ts'
import type { Built, Letter, LinksTold, RenderWorkerData, Sheet } from '../message.ts'

/** Sheets that are known at once, and lists of links; both are told again where they are not. */
const mostSheets = 200
const mostLists = 500

export function createMailBuilder({
  buffers,
  macKeys,
  baseUrl,
  installation,
}: RenderWorkerData): Onward {
  const sheets = new Map<string, Sheet>()
  const by = { vault: { hmac: macsBy(macKeys) }, baseUrl, installation }
  const lists = linkLists()

  const sheetOf = ({ sheetName, sheet }: Letter): Sheet | undefined => {
    if (!sheet) return sheets.get(sheetName)
    if (sheets.size >= mostSheets) sheets.clear()
    sheets.set(sheetName, sheet)
    return sheet
  }

  return {
    take(work) {
      const letter = work as Letter
      const sheet = sheetOf(letter)
      if (!sheet) return undefined
      const { message, contact, now } = letter
      const { sender, senderProfile } = sheet
      const what = toTrack(message, sender)
      const around = aroundOf({ business: senderProfile, contact }, preferencesUrl(by, what))

      const build = async (rendered: RenderedContent, progress: Progress): Promise<Built> => {
        const { links, ...tracked } = trackMail(by, senderProfile, { ...what, rendered })
        const subject = message.subject ?? rendered.subject
        const view = viewOfMessage(mailOf(message, { sender, subject, tracked, now }))
        let buffer: Room | undefined
        const bufferOf = (bytes: number) => {
          buffer = takeBuffer(buffers, bytes)
          return buffer?.bytes ?? Buffer.allocUnsafeSlow(bytes)
        }
        const whole = await signBuilt(view, sender.keys, { at: now, bufferFor: bufferOf })
        const told = lists.tell(links, letter.sheet !== undefined)
        if (buffer) return { buffer: buffer.n, bytes: whole.length, links: told }
        progress.transfer(whole.buffer as ArrayBuffer)
        return { message: whole as Uint8Array<ArrayBuffer>, links: told }
      }
      return {
        variables: templateVariables(around, message.variables ?? {}),
        async end(rendered, progress): Promise<Built> {
          try {
            return await build(rendered, progress)
          } catch (error) {
            if (!isRefusal(error)) throw error
            const { code, message: text, details } = error
            return { refused: { code, message: text, details } }
          }
        },
      }
    },
  }
}

function macsBy(keys: RenderWorkerData['macKeys']) {
  const hashes = new Map<string, KeyedHash>()
  for (const [purpose, key] of keys) hashes.set(purpose, keyedHash(Buffer.from(key)))
  return (purpose: string, data: string | Buffer): Buffer => {
    const hashOf = hashes.get(purpose)
    if (!hashOf) throw new Error(`no key for ${purpose} in this thread`)
    return hashOf(data)
  }
}

/** Names for lists, of this thread and of no other. */
function linkLists() {
  const thread = randomUUID()
  const names = new Map<string, string>()
  let last = 0
  return {
    tell(links: readonly Link[], whole: boolean): LinksTold | undefined {
      if (links.length === 0) return undefined
      const key = links.map(({ name }) => name).join('')
      const known = names.get(key)
      if (known !== undefined && !whole) return { name: known }
      if (names.size >= mostLists) names.clear()
      const name = known ?? `${thread} ${++last}`
      names.set(key, name)
      return { name, links: links.map(({ name: hash, url }) => ({ name: hash, url })) }
    },
  }
}
