/**
 * The building of messages of templates, from the loop's side: all that has to be read is
 * read here, and what the thread has made is handed on once its links are stored.
 */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { trimMemory } from '../lib/email/message-buffers.ts'
import { messageIn, newBuffers } from '../lib/email/shared-buffers.ts'
import type { TemplateWords } from '../messages/composing/template-words.ts'
import type { Building, Sender, ToBuild } from '../messages/model/dependencies.ts'
import type { Templates } from '../templates/compile.ts'
import type { Link } from '../tracking/link.ts'
import { macPurposes } from '../tracking/token.ts'
import { installationOf, type Tracking } from '../tracking/track.ts'
import type { Built, Letter, LinksTold, RenderWorkerData, Sheet } from './message.ts'

export interface RenderWorkers {
  /** What `createTemplates` takes. */
  onward: { module: URL; data(): RenderWorkerData }
  /** Of the thread that runs now: answers of others do not come. */
  buffers(): SharedArrayBuffer
}

export function createRenderWorkers({
  vault,
  baseUrl,
}: {
  vault: Vault
  baseUrl: string
}): RenderWorkers {
  const macKeys = new Map(macPurposes.map((one) => [one, vault.hmacKey(one)]))
  let buffers: SharedArrayBuffer | undefined
  return {
    onward: {
      module: new URL('./thread/main.ts', import.meta.url),
      data() {
        // Of its own: one that was stopped may still be writing.
        buffers = newBuffers()
        return { buffers, macKeys, baseUrl, installation: installationOf(vault) }
      },
    },
    buffers() {
      if (!buffers) throw new Error('a message of a thread that was not started')
      return buffers
    },
  }
}

export interface BuildingDeps {
  db: Database
  renderWorkers: RenderWorkers
  templates: Pick<Templates, 'hand'>
  words: Pick<TemplateWords, 'fillingOf'>
  tracking: Pick<Tracking, 'keep'>
}

export function createBuilding({
  db,
  renderWorkers,
  templates,
  words,
  tracking,
}: BuildingDeps): Building {
  const nameOf = sheetNames()
  const lists = linkLists()

  return {
    async build({ message, sender, now }) {
      const { businessId, templateVersionId, attachments } = message
      // Files are megabytes, and nothing that a template brings.
      if (templateVersionId === null || attachments) return undefined
      const filling = await words.fillingOf({ ...message, templateVersionId })
      if (isRefusal(filling)) return filling
      const { compiled, business: senderProfile, contact } = filling
      const letter = letterOf(message, { contact, now, sheetName: nameOf(sender, senderProfile) })
      const whole: Letter = { ...letter, sheet: { sender: sheetSender(sender), senderProfile } }
      const ask = async (all: boolean) => {
        const answer = await templates.hand({ businessId, compiled }, (asked) =>
          asked || all ? whole : letter,
        )
        return taken(answer as Built | Refusal | undefined)
      }

      /** At once, while the thread that made it is the one that runs. */
      const taken = (built: Built | Refusal | undefined) => {
        if (built === undefined || isRefusal(built)) return built
        if ('refused' in built) {
          const { code, message: text, details } = built.refused
          return refuse(code, text, details)
        }
        return {
          bytes: built.message
            ? Buffer.from(built.message.buffer)
            : messageIn(renderWorkers.buffers(), built.buffer, built.bytes),
          links: lists.linksOf(built.links),
        }
      }

      let made = await ask(false)
      if (made && !isRefusal(made) && !made.links) {
        trimMemory(made.bytes)
        made = await ask(true)
      }
      if (!made || isRefusal(made)) return made
      if (!made.links) throw new Error('a thread told no links')
      if (made.links.length > 0) await tracking.keep(db, businessId, made.links)
      return made.bytes
    },
  }
}

function letterOf(
  message: ToBuild['message'],
  rest: Pick<Letter, 'contact' | 'now' | 'sheetName'>,
): Letter {
  const { businessId, id, contactId, campaignId, kind, to } = message
  const { trackOpens, trackClicks, subject, variables } = message
  const ids = { businessId, id, contactId, campaignId }
  return { message: { ...ids, kind, to, trackOpens, trackClicks, subject, variables }, ...rest }
}

/** What can go over to a thread, and has to. */
function sheetSender({ from, replyTo, domain, keys, trackingHost }: Sender): Sheet['sender'] {
  return { from, domain, keys, ...(replyTo && { replyTo }), ...(trackingHost && { trackingHost }) }
}

/** Lists of links that are remembered; more than the thread takes for told. */
const mostLists = 1_000

function linkLists() {
  const lists = new Map<string, readonly Link[]>()
  return {
    /** Undefined for a list that was told too long ago. */
    linksOf(told: LinksTold | undefined): readonly Link[] | undefined {
      if (!told) return []
      if (!told.links) return lists.get(told.name)
      const links = told.links.map((one) => ({ ...one, hash: Buffer.from(one.name, 'base64') }))
      setNewest(lists, [told.name, links], mostLists)
      return links
    },
  }
}

/** The same for the same objects, which those who read them keep for some seconds. */
function sheetNames() {
  const names = new WeakMap<object, number>()
  let last = 0
  const nameOf = (one: object) => {
    const name = names.get(one) ?? ++last
    names.set(one, name)
    return name
  }
  return (sender: Sender, senderProfile: SenderProfile) =>
    `${nameOf(sender)} ${nameOf(senderProfile)}`
}
