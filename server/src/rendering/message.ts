/** What goes over to the thread that builds messages, and what comes back. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { Code, RefusalDetails } from '../core/errors.ts'
import type { ToSend } from '../messages/composing/mail-of.ts'
import type { Sender } from '../messages/model/dependencies.ts'
import type { WholeMessage } from '../messages/model/message.ts'
import type { Recipient } from '../templates/variables.ts'
import type { Link } from '../tracking/link.ts'

/** What the thread is started with: of the vault, the keys that its tokens are made with. */
export interface RenderWorkerData {
  /** For messages; `shared-buffers.ts` of `lib/email` says how. */
  buffers: SharedArrayBuffer
  /** By purpose. */
  macKeys: ReadonlyMap<string, Uint8Array>
  baseUrl: string
  installation: string
}

/** What the messages of a moment have in common, told once and named from then on. */
export interface Sheet {
  sender: Pick<Sender, 'from' | 'replyTo' | 'domain' | 'keys' | 'trackingHost'>
  senderProfile: SenderProfile
}

export interface Letter {
  message: ToSend & Pick<WholeMessage, 'subject' | 'variables'>
  contact: Recipient | undefined
  now: Date
  sheetName: string
  /** Where the thread does not know it; lists of links are told again too. */
  sheet?: Sheet
}

export type Built =
  | (Made & { buffer: number; bytes: number; message?: undefined })
  /** Too large for a buffer, or all were taken. */
  | (Made & { message: Uint8Array<ArrayBuffer> })
  | { refused: { code: Code; message: string; details: RefusalDetails } }

interface Made {
  links: LinksTold | undefined
}

/** Most messages of a template have the same links, so that a list of them has a name. */
export interface LinksTold {
  name: string
  /** Where it has not been told before. */
  links?: Pick<Link, 'name' | 'url'>[]
}
