/**
 * The worker thread that renders known templates and builds each whole message from them: tracked
 * and signed. The signing keys stay here, out of reach of Liquid, which sees only the recipient and
 * the variables.
 */

import { randomUUID } from 'node:crypto'
import { isRefusal } from '../../core/errors.ts'
import { type KeyedHash, keyedHash } from '../../lib/crypto/vault.ts'
import { signBuilt } from '../../lib/email/dkim.ts'
import { viewOfMessage } from '../../lib/email/message.ts'
import { type Room, takeBuffer } from '../../lib/email/message-buffers.ts'
import { answerQuestions, type Progress, threadData } from '../../lib/threads/thread-side.ts'
import { mailOf, ownLinks, surroundingVariables, toTrack } from '../../messages/mail-of.ts'
import {
  type Answer,
  answerTo,
  type Onward,
  type Question,
  type RenderedContent,
} from '../../templates/thread/answer.ts'
import { templateVariables } from '../../templates/variables.ts'
import type { Link } from '../../tracking/links.ts'
import { preferencesUrl, type ToTrack, trackMail, viewUrl } from '../../tracking/track-mail.ts'
import type {
  LinkList,
  RenderJob,
  RenderResult,
  RenderWorkerData,
  SharedData,
} from '../worker-messages.ts'

/**
 * How much shared data, and how many lists of links, the worker caches. Dropped data is sent again.
 */
const maxSharedData = 200

const maxLists = 500

function createMailBuilder({ buffers, macKeys, baseUrl, installation }: RenderWorkerData): Onward {
  const cache = new Map<string, SharedData>()
  const by = { vault: { hmac: macsBy(macKeys) }, baseUrl, installation }
  const lists = linkLists()
  const urls = {
    preferencesUrl: (mail: Omit<ToTrack, 'rendered'>) => preferencesUrl(by, mail),
    viewUrl: (mail: Omit<ToTrack, 'rendered'>) => viewUrl(by, mail),
  }

  const sharedDataOf = ({ sharedName, shared }: RenderJob): SharedData | undefined => {
    if (!shared) return cache.get(sharedName)
    if (cache.size >= maxSharedData) cache.clear()
    cache.set(sharedName, shared)
    return shared
  }

  return {
    take(work) {
      const job = work as RenderJob
      const shared = sharedDataOf(job)
      if (!shared) return undefined
      const { message, contact, shownKeys, now } = job
      const { sender, senderProfile } = shared
      const target = toTrack(message, sender)
      const around = surroundingVariables(
        { business: senderProfile, contact, shownKeys },
        ownLinks(urls, target),
      )

      const build = async (
        rendered: RenderedContent,
        progress: Progress,
      ): Promise<RenderResult> => {
        const language = message.language ?? contact?.language
        const { links, ...tracked } = trackMail(by, senderProfile, {
          ...target,
          rendered,
          ...(language !== undefined && { language }),
        })
        const subject = message.subject ?? rendered.subject
        const view = viewOfMessage(mailOf(message, { sender, subject, tracked, now }))
        let buffer: Room | undefined
        const bufferOf = (bytes: number) => {
          buffer = takeBuffer(buffers, bytes)
          return buffer?.bytes ?? Buffer.allocUnsafeSlow(bytes)
        }
        const whole = await signBuilt(view, sender.keys, { at: now, bufferFor: bufferOf })
        const list = lists.nameFor(links, job.shared !== undefined)
        if (buffer) return { buffer: buffer.n, bytes: whole.length, links: list }
        progress.transfer(whole.buffer as ArrayBuffer)
        return { message: whole as Uint8Array<ArrayBuffer>, links: list }
      }
      return {
        variables: templateVariables(around, message.variables ?? {}),
        async end(rendered, progress): Promise<RenderResult> {
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

/** Names lists of links. The names are unique to this worker. */
function linkLists() {
  const thread = randomUUID()
  const names = new Map<string, string>()
  let last = 0
  return {
    nameFor(links: readonly Link[], whole: boolean): LinkList | undefined {
      if (links.length === 0) return undefined
      const key = links.map(({ name }) => name).join('')
      const cached = names.get(key)
      if (cached !== undefined && !whole) return { name: cached }
      if (names.size >= maxLists) names.clear()
      const name = cached ?? `${thread} ${++last}`
      names.set(key, name)
      return { name, links: links.map(({ name: hash, url }) => ({ name: hash, url })) }
    },
  }
}

const mailBuilder = createMailBuilder(threadData<RenderWorkerData>())

answerQuestions<Question, Answer>((question, progress) => answerTo(question, progress, mailBuilder))
