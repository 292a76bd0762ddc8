/** Tells the person who sent a campaign off, or whose app did, that another refused it, and why. */
import { mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { approversOf } from '../../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../../lib/jobs/job.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Campaign } from '../model/campaign.ts'
import { findCampaign } from '../model/queries.ts'
import { type ApprovalMailDeps, approvalMailRetries } from './mail.ts'

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
  await enqueue(tx, [{ kind: refusalMailJob, lane: businessId, payload }], now)
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
