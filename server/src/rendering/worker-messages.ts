/** The messages that the main thread and the render worker exchange. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { Code, RefusalDetails } from '../core/errors.ts'
import type { Sender } from '../messages/dependencies.ts'
import type { ToSend } from '../messages/mail-of.ts'
import type { WholeMessage } from '../messages/message.ts'
import type { Recipient } from '../templates/variables.ts'
import type { Link } from '../tracking/links.ts'

/**
 * The data with which the worker is started. Of the vault's keys it gets only those for its tokens.
 */
export interface RenderWorkerData {
  /** Shared memory for finished messages. `lib/email/message-buffers.ts` explains it. */
  buffers: SharedArrayBuffer
  /** HMAC keys by purpose. */
  macKeys: ReadonlyMap<string, Uint8Array>
  baseUrl: string
  installation: string
}

/**
 * The data that messages of one moment share. It is sent once and referred to by name afterwards.
 */
export interface SharedData {
  sender: Pick<Sender, 'from' | 'replyTo' | 'domain' | 'keys' | 'trackingHost'>
  senderProfile: SenderProfile
}

/** One message to render. */
export interface RenderJob {
  message: ToSend & Pick<WholeMessage, 'subject' | 'variables' | 'language'>
  contact: Recipient | undefined
  /** The keys of the filters of blocks that the contact fits. */
  shownKeys: readonly string[]
  now: Date
  sharedName: string
  /** The shared data, if the worker may not have it. Lists of links are then sent again too. */
  shared?: SharedData
}

export type RenderResult =
  | (RenderedMessage & { buffer: number; bytes: number; message?: undefined })
  /** The message was too large for a buffer, or all buffers were in use. */
  | (RenderedMessage & { message: Uint8Array<ArrayBuffer> })
  | { refused: { code: Code; message: string; details: RefusalDetails } }

interface RenderedMessage {
  links: LinkList | undefined
}

/**
 * A list of links. Most messages of a template have the same links, so the list is named and sent
 * once.
 */
export interface LinkList {
  name: string
  /** The links themselves, if the list was not sent before. */
  links?: Pick<Link, 'name' | 'url'>[]
}
