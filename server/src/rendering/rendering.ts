/**
 * Renders messages of templates, on the main thread's side. It reads the required data, passes the
 * work to the render worker, and returns the finished message once its links are stored.
 */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import { orThrow, type Refusal, refuse } from '../core/errors.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { messageIn, newBuffers, releaseBuffer } from '../lib/email/message-buffers.ts'
import type { Building, Sender, ToBuild } from '../messages/dependencies.ts'
import type { TemplateWords } from '../messages/template-words.ts'
import type { Templates } from '../templates/compile.ts'
import { keysShown } from '../templates/variables.ts'
import type { Link } from '../tracking/links.ts'
import { macPurposes } from '../tracking/tokens.ts'
import { installationOf, type Tracking } from '../tracking/track.ts'
import type {
  LinkList,
  RenderJob,
  RenderResult,
  RenderWorkerData,
  SharedData,
} from './worker-messages.ts'

export interface RenderWorkers {
  /** The continuation that `createTemplates` runs in its thread. */
  onward: { module: URL; data(): RenderWorkerData }
  /** The buffers of the current worker. Results of earlier workers are never delivered. */
  buffers(): SharedArrayBuffer
}

export function createRenderWorkers({
  vault,
  baseUrl,
}: {
  vault: Vault
  baseUrl: string
}): RenderWorkers {
  const macKeys = new Map(macPurposes.map((macPurpose) => [macPurpose, vault.hmacKey(macPurpose)]))
  let buffers: SharedArrayBuffer | undefined
  return {
    onward: {
      module: new URL('./thread/main.ts', import.meta.url),
      data() {
        // Each worker gets its own buffers, because a stopped worker may still be writing.
        buffers = newBuffers()
        return { buffers, macKeys, baseUrl, installation: installationOf(vault) }
      },
    },
    buffers() {
      if (!buffers) throw new Error('a message of a render worker that was not started')
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
  const nameOf = sharedNames()
  const lists = linkLists()

  return {
    async build({ message, sender, now }) {
      const { businessId, templateVersionId, attachments, fields } = message
      // Files have megabytes, and few calls set header fields, so the worker supports neither.
      if (templateVersionId === null || attachments || fields) return undefined
      const filling = await words.fillingOf({ ...message, templateVersionId })
      const { compiled, business: senderProfile, contact, conditions } = filling
      const keys = keysShown(conditions, message.shownBlocks)
      const job = renderJobOf(message, {
        contact,
        shownKeys: keys,
        now,
        sharedName: nameOf(sender, senderProfile),
      })
      const fullJob: RenderJob = {
        ...job,
        shared: { sender: senderForWorker(sender), senderProfile },
      }
      const render = async (all: boolean) => {
        const answer = await templates.hand({ businessId, compiled }, (request) =>
          request || all ? fullJob : job,
        )
        return readAnswer(answer as RenderResult | Refusal | undefined)
      }

      /** Reads the result at once, while the worker that made it is still the current one. */
      const readAnswer = (outcome: RenderResult | Refusal | undefined) => {
        const built = orThrow(outcome)
        if (built === undefined) return undefined
        if ('refused' in built) {
          const { code, message: text, details } = built.refused
          throw refuse(code, text, details)
        }
        return {
          bytes: built.message
            ? Buffer.from(built.message.buffer)
            : messageIn(renderWorkers.buffers(), built.buffer, built.bytes),
          links: lists.linksOf(built.links),
        }
      }

      let rendered = await render(false)
      if (rendered && !rendered.links) {
        releaseBuffer(rendered.bytes)
        rendered = await render(true)
      }
      if (!rendered) return undefined
      if (!rendered.links) throw new Error('the render worker sent no links')
      if (rendered.links.length > 0) await tracking.keep(db, businessId, rendered.links)
      return rendered.bytes
    },
  }
}

function renderJobOf(
  message: ToBuild['message'],
  rest: Pick<RenderJob, 'contact' | 'shownKeys' | 'now' | 'sharedName'>,
): RenderJob {
  const { businessId, id, contactId, campaignId, kind, to, topic = null } = message
  const { trackOpens, trackClicks, trackingConsent, subject, variables, language, utm } = message
  const { templateVersionId, shownBlocks = null } = message
  const ids = { businessId, id, contactId, campaignId }
  const tracks = { trackOpens, trackClicks, trackingConsent }
  const own = { subject, variables, ...(language && { language }), ...(utm && { utm }) }
  const version = { templateVersionId, shownBlocks }
  return { message: { ...ids, kind, to, topic, ...version, ...tracks, ...own }, ...rest }
}

/** The parts of a sender that the worker needs and that can be sent to it. */
function senderForWorker({
  from,
  replyTo,
  domain,
  keys,
  trackingHost,
}: Sender): SharedData['sender'] {
  return { from, domain, keys, ...(replyTo && { replyTo }), ...(trackingHost && { trackingHost }) }
}

/** How many lists of links are cached here. It is more than the worker assumes to be known. */
const maxLists = 1_000

function linkLists() {
  const lists = new Map<string, readonly Link[]>()
  return {
    /** Undefined for a list that was dropped because it was sent too long ago. */
    linksOf(list: LinkList | undefined): readonly Link[] | undefined {
      if (!list) return []
      if (!list.links) return lists.get(list.name)
      const links = list.links.map((link) => ({ ...link, hash: Buffer.from(link.name, 'base64') }))
      setNewest(lists, [list.name, links], maxLists)
      return links
    },
  }
}

/** Returns the same name for the same objects, which their readers cache for some seconds. */
function sharedNames() {
  const names = new WeakMap<object, number>()
  let last = 0
  const nameOf = (entry: object) => {
    const name = names.get(entry) ?? ++last
    names.set(entry, name)
    return name
  }
  return (sender: Sender, senderProfile: SenderProfile) =>
    `${nameOf(sender)} ${nameOf(senderProfile)}`
}
