/** The list of jobs with the code that runs each. The work itself is in the domains. */

import { addressMailJobs, sweepAddressChanges } from './accounts/addresses/change.ts'
import type { SenderProfileReader } from './accounts/businesses/sender-profile.ts'
import { factorNoticeJobs, factorNotices } from './accounts/factors/notice.ts'
import { factorResetJobs } from './accounts/factors/reset.ts'
import type { RelyingParty } from './accounts/identities/relying-party.ts'
import { renewalJobs } from './accounts/identities/renew.ts'
import { sendInvitationMail } from './accounts/members/invitation-mail.ts'
import type { InvitationMailer } from './accounts/members/invitations.ts'
import { deleteAnsweredChallenges } from './accounts/passkeys/challenge.ts'
import { passkeyNoticeJobs } from './accounts/passkeys/notice.ts'
import type { SignInMailer } from './accounts/sign-in/request-link.ts'
import { sendSignInMail } from './accounts/sign-in/sign-in-mail.ts'
import { sweepPeople } from './accounts/sign-in/sweep.ts'
import { mandateMailJobs } from './assistants/mandate-mail.ts'
import { ownerNoticeJobs } from './assistants/owner-notices.ts'
import { proposalJobs, proposalPersonalData } from './assistants/proposals.ts'
import { removalJobs } from './assistants/removals.ts'
import { campaignPersonalData } from './campaigns/audience/personal-data.ts'
import { type CampaignJobDeps, campaignJobs } from './campaigns/jobs.ts'
import { closingJobs } from './closings/jobs.ts'
import type { CompanySignIn } from './config/company-sign-in.ts'
import { manyConsentsJobs } from './contacts/consent/many-consents.ts'
import { contactJobs } from './contacts/erase.ts'
import type { PersonalData } from './contacts/personal-data.ts'
import { searchIndexJobs } from './contacts/search-index.ts'
import { segmentPersonalData } from './contacts/segments/personal-data.ts'
import { taggingJobs, taggingPersonalData } from './contacts/tagging/tag.ts'
import { sweepIdempotencyKeys } from './core/idempotency.ts'
import type { Id } from './core/ids.ts'
import { sweepInbox } from './core/inbox/mail-transport.ts'
import { sweepPhones } from './core/inbox/phones.ts'
import type { FanOutDeps } from './events/fan-out.ts'
import { eventJobs } from './events/jobs.ts'
import { feedJobs } from './feeds/run.ts'
import { guardJobs } from './forms/guard/guard.ts'
import { submissionPersonalData } from './forms/submission.ts'
import { imageJobs } from './images/jobs.ts'
import { type ImportJobDeps, importJobKinds } from './imports/jobs.ts'
import { replyPersonalData } from './inbound-sms/personal-data.ts'
import type { Lazy } from './lib/concurrency/lazily.ts'
import type { Vault } from './lib/crypto/vault.ts'
import type { Mailer } from './lib/email/mailer.ts'
import { enqueue, type JobKinds, type TellWorker } from './lib/jobs/job.ts'
import { sweepAttempts } from './lib/rate-limit/attempts.ts'
import { hours, minutes, seconds } from './lib/time/clock.ts'
import { attentionPersonalData } from './messages/attention.ts'
import type { TextSenders } from './messages/dependencies.ts'
import { messagePersonalData } from './messages/personal-data.ts'
import { keyNoticeJobs } from './oauth/api-keys/maker-left.ts'
import { rotateSigningKeys } from './oauth/keys/keys.ts'
import { sweepOAuth } from './oauth/sweep.ts'
import { retentionJobs } from './retention/jobs.ts'
import type { DomainFacility } from './sender-domains/model/facility.ts'
import { domainJobs } from './sender-domains/verification/jobs.ts'
import { followSequences } from './sequences/enter.ts'
import { lookJobs } from './sequences/look.ts'
import { noteJobs } from './sequences/notify.ts'
import { sequencePersonalData } from './sequences/personal-data.ts'
import { sequenceJobs } from './sequences/run.ts'
import { restyleJobs } from './templates/restyle.ts'
import type { DeliverDeps } from './webhooks/delivery/deliver.ts'
import { queueDeliveries } from './webhooks/delivery/follow.ts'
import { webhookJobs } from './webhooks/delivery/jobs.ts'

export interface WorkDeps
  extends DeliverDeps,
    Omit<CampaignJobDeps, 'hmac'>,
    Pick<ImportJobDeps, 'files' | 'reader'> {
  vault: Vault
  mailer: Mailer
  domains: DomainFacility
  signup: 'open' | 'invite'
  /** HISTORY_MONTHS: the most that a business keeps of its history; null: no limit. */
  historyMonths: number | null
  urls: { baseUrl: string; appUrl: string }
  mailFrom: string
  senderProfileOf: SenderProfileReader
  /** What is said with identity providers, and that of the installation. */
  party: Lazy<RelyingParty>
  companySignIn: CompanySignIn | undefined
  /** Jobs that send messages, and jobs that process reports on them. */
  messages: JobKinds
  feedback: JobKinds
  /** Jobs that ask people to confirm their consent. */
  confirmations: JobKinds
  /** Jobs about inbound texts. */
  replies: JobKinds
  /** The personal data of contacts in each domain. */
  personalData: readonly PersonalData[]
  /** Notifies this process's worker of jobs that were queued by other jobs. */
  wake: TellWorker
}

/** The personal data of contacts in each domain, except imports, whose files are elsewhere. */
export const everyPersonalData: readonly PersonalData[] = [
  submissionPersonalData,
  messagePersonalData,
  replyPersonalData,
  segmentPersonalData,
  taggingPersonalData,
  campaignPersonalData,
  sequencePersonalData,
  attentionPersonalData,
  proposalPersonalData,
]

/** What else happens in the transaction that gives events their positions. */
function followers({
  vault,
  wake,
}: Pick<WorkDeps, 'vault' | 'wake'>): NonNullable<FanOutDeps['follow']> {
  const deliver = queueDeliveries(wake)
  const enter = followSequences({ hmac: vault.hmac, tell: wake })
  return async (tx, placed, now) => {
    await deliver(tx, placed, now)
    await enter(tx, placed, now)
  }
}

/** Reads the sender anew each time: one from the cache would let a change pass. */
const freshTextSenders = ({
  textSenders,
  senderProfileOf,
}: Pick<WorkDeps, 'textSenders' | 'senderProfileOf'>): TextSenders => ({
  textSenderOf(businessId) {
    senderProfileOf.forget(businessId)
    return textSenders.textSenderOf(businessId)
  },
})

const invitationMailJob = 'people.invitation-mail'

export function invitationMailer({
  clock,
  wake,
}: Pick<WorkDeps, 'clock' | 'wake'>): InvitationMailer {
  return {
    async queueInvitation(tx, businessId, id) {
      const payload = { business_id: businessId, invitation_id: id }
      await enqueue(tx, [{ kind: invitationMailJob, businessId, payload }], clock.now(), wake)
    },
  }
}

const signInMailJob = 'people.sign-in-mail'

export function signInMailer({ clock, wake }: Pick<WorkDeps, 'clock' | 'wake'>): SignInMailer {
  return {
    async queue(tx, linkId) {
      const payload = { link_id: linkId }
      const job = { kind: signInMailJob, businessId: null, payload, priority: 'urgent' } as const
      await enqueue(tx, [job], clock.now(), wake)
    },
  }
}

/** A person waits for this mail, so retries are close together and end when the link expires. */
const mailRetries = [seconds(2), seconds(5), seconds(15), seconds(60), seconds(180)]

const invitationRetries = [seconds(30), seconds(300), hours(1), hours(6)]

export function jobKinds(deps: WorkDeps): JobKinds {
  const { db, clock, vault } = deps
  return {
    [signInMailJob]: {
      retryDelays: mailRetries,
      timeoutMs: seconds(60),
      async run({ payload }) {
        const { link_id } = payload as { link_id: Id<'link'> }
        const { mailer, urls, mailFrom, signup } = deps
        const mail = { db, vault, mailer, clock, urls, mailFrom }
        await sendSignInMail({ ...mail, rule: { signup } }, link_id)
      },
    },
    [invitationMailJob]: {
      retryDelays: invitationRetries,
      timeoutMs: seconds(60),
      async run({ payload }) {
        const { business_id, invitation_id } = payload as {
          business_id: Id<'business'>
          invitation_id: Id<'invitation'>
        }
        await sendInvitationMail(deps, business_id, invitation_id)
      },
    },
    ...keyNoticeJobs(deps),
    ...passkeyNoticeJobs(deps),
    ...factorNoticeJobs(deps),
    ...addressMailJobs(deps),
    ...factorResetJobs({ db, clock, notices: factorNotices(deps.wake) }),
    ...renewalJobs({
      db,
      clock,
      log: deps.log,
      vault,
      resolver: deps.domains.resolver,
      party: deps.party,
      notices: factorNotices(deps.wake),
      config: { appUrl: deps.urls.appUrl, companySignIn: deps.companySignIn },
    }),
    ...manyConsentsJobs(deps),
    ...closingJobs(deps),
    ...mandateMailJobs(deps),
    ...proposalJobs({ db, clock, vault }),
    ...removalJobs({ db, clock, vault, traces: deps.personalData, domains: deps.domains }),
    ...ownerNoticeJobs(deps),
    'domain.volume-answer-mail': {
      retryDelays: invitationRetries,
      timeoutMs: seconds(60),
      async run(job) {
        const { sendAnswerMail } = await import('./sender-domains/volume/answer-mail.ts')
        await sendAnswerMail(deps, job)
      },
    },
    'oauth.rotate-keys': {
      everyMs: hours(6),
      async run() {
        await rotateSigningKeys(db, vault, clock.now())
      },
    },
    'oauth.sweep': {
      everyMs: hours(1),
      async run() {
        await sweepOAuth(db, clock.now())
      },
    },
    'people.sweep': {
      everyMs: hours(1),
      async run() {
        await sweepPeople(db, clock.now())
        await deleteAnsweredChallenges(db, clock.now())
        await sweepAddressChanges(db, clock.now())
      },
    },
    'platform.sweep-inbox': {
      everyMs: hours(6),
      async run() {
        await sweepInbox(db, clock.now())
        await sweepPhones(db, clock.now())
      },
    },
    ...contactJobs({ db, clock, traces: deps.personalData }),
    ...searchIndexJobs({ db, clock }),
    ...retentionJobs({ db, clock, hmac: vault.hmac, historyMonths: deps.historyMonths }),
    ...taggingJobs({ db, clock, hmac: vault.hmac }),
    ...importJobKinds({ ...deps, ...deps.domains, hmac: vault.hmac }),
    ...imageJobs(deps),
    ...restyleJobs(deps),
    ...eventJobs({ db, clock, follow: followers(deps) }),
    ...sequenceJobs({
      db,
      clock,
      hmac: vault.hmac,
      wake: deps.wake,
      senders: deps.senders,
      textSenders: freshTextSenders(deps),
    }),
    ...noteJobs({
      db,
      clock,
      hmac: vault.hmac,
      mailer: deps.mailer,
      urls: deps.urls,
      mailFrom: deps.mailFrom,
    }),
    ...lookJobs({ db, clock, hmac: vault.hmac, wake: deps.wake }),
    ...feedJobs(deps),
    ...webhookJobs(deps),
    ...deps.messages,
    'bounces.judge-again': {
      everyMs: hours(1),
      timeoutMs: hours(1),
      async run(_job, signal) {
        const { judgeAgain } = await import('./messages/reports/judge-again.ts')
        await judgeAgain(deps, signal)
      },
    },
    'migrations.fill': {
      everyMs: minutes(1),
      timeoutMs: hours(1),
      async run(_job, signal) {
        const { hasBackfills } = await import('./lib/db/backfills.ts')
        if (!(await hasBackfills(db))) return
        const { runBackfills } = await import('./lib/db/backfills.ts')
        await runBackfills(deps, signal)
      },
    },
    ...domainJobs({ ...deps.domains, db, clock }),
    ...deps.feedback,
    ...deps.replies,
    ...deps.confirmations,
    ...guardJobs(deps),
    ...campaignJobs({ ...deps, hmac: vault.hmac }),
    'platform.sweep-idempotency-keys': {
      everyMs: hours(1),
      async run() {
        await sweepIdempotencyKeys(db, clock.now())
      },
    },
    'platform.sweep-attempts': {
      everyMs: hours(1),
      async run() {
        await sweepAttempts(db, clock.now())
      },
    },
  }
}
