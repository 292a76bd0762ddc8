/** The pages of a test's authorization server, with mail that is delivered by hand. */

import { createSenderProfileReader } from 'crier-server/accounts/businesses/sender-profile.ts'
import { sendSignInMail } from 'crier-server/accounts/sign-in/sign-in-mail.ts'
import { createFeedback } from 'crier-server/composition/feedback.ts'
import { refuse } from 'crier-server/core/errors.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { registerPages } from 'crier-server/http/pages/register.ts'
import type { PagesDeps } from 'crier-server/http/pages/shared/deps.ts'
import { lazily } from 'crier-server/lib/concurrency/lazily.ts'
import type { Database, Tx } from 'crier-server/lib/db/types.ts'
import type { Mail } from 'crier-server/lib/email/mailer.ts'
import type { InboundText, SmsReceipt } from 'crier-server/lib/sms/transport.ts'
import { noOutcomes } from '../businesses/outcomes.ts'
import { inboxMailer } from '../mail/inbox-mailer.ts'
import { silentLog } from '../silent-log.ts'
import { authorizationWorld, testConfig, testVault, type World } from './authorization.ts'
import { PageVisitor } from './page-visitor.ts'

export interface PagesWorld extends World {
  config: PagesDeps['config']
  /** The texts that the built-in phones sent, and the reports on the texts that they got. */
  heard: (SmsReceipt | InboundText)[]
  visitor(): PageVisitor
  /** Renders all queued mail, puts it into the inbox, and returns it. */
  deliver(): Promise<Mail[]>
}

export type PagesConfig = Partial<typeof testConfig & PagesDeps['config']>

/** The only outbound requests of these pages go to an identity provider, which a test may give. */
export function pagesWorld(
  db: Database,
  change: PagesConfig = {},
  { party = noParty, resolver = noDns }: Partial<Pick<PagesDeps, 'party' | 'resolver'>> = {},
): PagesWorld {
  const config = {
    ...testConfig,
    host: '127.0.0.1',
    signup: 'open' as const,
    defaultTier: 'scale' as const,
    defaultDeployLimit: 0,
    smtpUrl: undefined,
    sms: undefined,
    allowInbox: true,
    requireSecondFactor: false,
    countryHeader: undefined,
    companySignIn: undefined,
    ...change,
  }
  const world = authorizationWorld(db, { config })
  const queued: Id<'link'>[] = []
  const signInMailer = {
    async queue(_tx: Tx, linkId: Id<'link'>) {
      queued.push(linkId)
    },
  }
  const passkeyNotices = { async queue() {} }
  const { clock, oauth } = world
  const senderProfileOf = createSenderProfileReader(db, clock)
  const parts = { db, clock, vault: testVault, senderProfileOf }
  const feedback = createFeedback({ ...parts, outcomes: noOutcomes })
  const heard: PagesWorld['heard'] = []
  const texting = {
    receipt: async (receipt: SmsReceipt) => void heard.push(receipt),
    inbound: async (text: InboundText) => void heard.push(text),
  }
  // Actions of these pages that call operations are tested with the whole service.
  const ask = async () => refuse('unavailable', 'There are no operations here.')
  const deps = {
    ...parts,
    log: silentLog,
    config,
    oauth,
    signInMailer,
    passkeyNotices,
    factorNotices: passkeyNotices,
    party,
    resolver,
    feedback,
    texting,
  }
  registerPages(world.app, { ...deps, ask, allowed: async () => new Set() })
  const inbox = inboxMailer({ db, clock })
  return Object.assign(world, {
    config,
    heard,
    visitor: () => new PageVisitor(world.app, new URL(config.baseUrl).host),
    async deliver() {
      const sent: Mail[] = []
      const mailer = {
        async send(mail: Mail) {
          await inbox.send(mail)
          sent.push(mail)
        },
      }
      const deps = { ...parts, mailer, rule: config, urls: config, mailFrom: 'crier@app.example' }
      for (const id of queued.splice(0)) await sendSignInMail(deps, id)
      return sent
    },
  })
}

const noDns: PagesDeps['resolver'] = {
  lookup: async () => ({ outcome: 'failed', failure: 'unreachable', aliases: [] }),
}
const noProvider = async () => {
  throw refuse('unavailable', 'There is no identity provider here.')
}
const noParty: PagesDeps['party'] = lazily(async () => ({
  authorizationUrl: noProvider,
  claimsFor: noProvider,
  fewerScopes: noProvider,
  renew: noProvider,
  endedSession: noProvider,
}))

/** The path of the link in a mail. */
export function linkIn(mail: Mail | undefined): string {
  const found = /https?:\/\/\S+/.exec(mail?.text ?? '')
  if (!found) throw new Error('the mail holds no link')
  return new URL(found[0]).pathname
}
