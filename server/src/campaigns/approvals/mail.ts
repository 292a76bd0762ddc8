/** Mails about approvals: to those who may approve a campaign that waits, and to who ordered one that was refused. */

import { readApprovalRules } from '../../accounts/businesses/deploy-settings.ts'
import { mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { approversOf } from '../../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { stopAll } from '../../core/press-link.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../../lib/jobs/job.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { type Clock, hours, seconds } from '../../lib/time/clock.ts'
import { type Campaign, findCampaign } from '../campaign.ts'
import { approvalUrl } from '../view.ts'

const approvalMailJob = 'campaign.approval-mail'

/** Mails to one person about one business in 24 hours, however often an app deploys and cancels. */
export const approvalMailsADay = 20

/** A person waits for the mail, but not at the screen; after these retries the page must do. */
const approvalMailRetries = [seconds(30), seconds(300), hours(1), hours(6)]

interface ApprovalMailPayload {
  business_id: Id<'business'>
  campaign_id: Id<'campaign'>
  user_id: Id<'user'>
}

export interface ApprovalMailDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Queues a mail for each approver, in the transaction that sets the campaign to wait. */
export async function queueApprovalMails(
  tx: Tx,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'campaign'> },
  now: Date,
): Promise<void> {
  const approvers = await approversOf(tx, businessId)
  const jobs = approvers.map(({ userId }) => {
    const payload: ApprovalMailPayload = {
      business_id: businessId,
      campaign_id: id,
      user_id: userId,
    }
    return { kind: approvalMailJob, businessId, payload }
  })
  await enqueue(tx, jobs, now)
}

export function approvalMailJobs(deps: ApprovalMailDeps): JobKinds {
  return {
    [approvalMailJob]: {
      retryDelays: approvalMailRetries,
      timeoutMs: seconds(60),
      run: (job) => sendApprovalMail(deps, job as Job<ApprovalMailPayload>),
    },
  }
}

/** Sends nothing if somebody has decided already, or if the person may no longer approve it. */
async function sendApprovalMail(
  { db, clock, hmac, mailer, urls, mailFrom }: ApprovalMailDeps,
  { id: jobId, attempt, payload }: Job<ApprovalMailPayload>,
): Promise<void> {
  const { business_id: businessId, campaign_id: id, user_id } = payload
  const [campaign, approvers, [rules], language] = await Promise.all([
    findCampaign(db, businessId, id),
    approversOf(db, businessId),
    readApprovalRules(db, [businessId]),
    mailLanguageOf(db, businessId),
  ])
  const approver = approvers.find(({ userId }) => userId === user_id)
  if (!campaign || !approver || !waits(campaign)) return
  if (rules?.twoPeople && campaign.orderedBy === user_id) return
  if (attempt === 1) {
    const subject = `${businessId} ${user_id}`
    const limit = { limit: approvalMailsADay, windowMs: hours(24), now: clock.now() }
    const over = await countAttempt(db, { hmac }, { purpose: 'approval-mail', subject, ...limit })
    if (over) return
  }
  const name = `${formatId('campaign', id)}.${jobId}`
  // Loaded with the first mail, since few businesses have approvals.
  const { approvalWords, stopLabels } = await import('./mail-words.ts')
  const words = approvalWords(language, campaign, approver)
  const page = `${urls.appUrl}/b/${formatId('business', businessId)}/connections`
  const stopPage = `${urls.appUrl}/account/stop/${formatId('business', businessId)}`
  const isByConnection = campaign.connectionId !== null
  const stops = [
    { label: stopLabels[language], url: page },
    { label: stopAll[language], url: stopPage },
  ]
  const mail = serviceMail({
    ...words,
    url: approvalUrl(urls.appUrl, id),
    also: isByConnection ? stops : [],
    language,
  })
  await mailer.send({ name, from: mailFrom, to: approver.email, ...mail })
}

const waits = ({ state, pauseReason }: Campaign) =>
  state === 'awaiting_approval' || (state === 'paused' && pauseReason === 'approval')

const refusalMailJob = 'campaign.refusal-mail'

interface RefusalMailPayload {
  business_id: Id<'business'>
  campaign_id: Id<'campaign'>
  /** As it was given, since the draft forgets it once it is sent off again. */
  reason: string | null
}

/** Queues the mail in the transaction of the refusal; none to a person who refuses their own. */
export async function queueRefusalMail(
  tx: Tx,
  {
    businessId,
    campaign,
    reason,
    refusedBy,
  }: {
    businessId: Id<'business'>
    campaign: Pick<Campaign, 'id' | 'orderedBy'>
    reason: string | null
    refusedBy: Id<'user'>
  },
  now: Date,
): Promise<void> {
  if (campaign.orderedBy === null || campaign.orderedBy === refusedBy) return
  const payload: RefusalMailPayload = {
    business_id: businessId,
    campaign_id: campaign.id,
    reason,
  }
  await enqueue(tx, [{ kind: refusalMailJob, businessId, payload }], now)
}

export function refusalMailJobs(deps: ApprovalMailDeps): JobKinds {
  return {
    [refusalMailJob]: {
      retryDelays: approvalMailRetries,
      timeoutMs: seconds(60),
      run: (job) => sendRefusalMail(deps, job as Job<RefusalMailPayload>),
    },
  }
}

/** Only members with the right to send off a campaign order one; who left gets no mail. */
async function sendRefusalMail(
  { db, mailer, urls, mailFrom }: ApprovalMailDeps,
  { id: jobId, payload }: Job<RefusalMailPayload>,
): Promise<void> {
  const { business_id: businessId, campaign_id: id, reason } = payload
  const [campaign, approvers, language] = await Promise.all([
    findCampaign(db, businessId, id),
    approversOf(db, businessId),
    mailLanguageOf(db, businessId),
  ])
  const author = approvers.find(({ userId }) => userId === campaign?.orderedBy)
  if (!campaign || !author) return
  const { refusalWords } = await import('./mail-words.ts')
  const words = refusalWords(language, { name: campaign.name, reason }, author)
  const campaignId = formatId('campaign', id)
  const url = `${urls.appUrl}/b/${formatId('business', businessId)}/campaigns/${campaignId}`
  const mail = serviceMail({ ...words, url, language })
  await mailer.send({ name: `${campaignId}.${jobId}`, from: mailFrom, to: author.email, ...mail })
}
