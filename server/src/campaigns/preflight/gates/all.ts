/** The gates of a campaign, by its channel. */

import type { DeploySettings } from '../../../accounts/businesses/business.ts'
import { isRefusal, type Refusal } from '../../../core/errors.ts'
import { formatId, type Id } from '../../../core/ids.ts'
import type { Reach } from '../../../core/operation.ts'
import type { TextSender } from '../../../messages/dependencies.ts'
import { ownDomainsOf } from '../../../sender-domains/senders/own-domains.ts'
import type { Sender } from '../../../sender-domains/senders/senders.ts'
import type { AudienceCount } from '../../audience/count.ts'
import type { Campaign, CampaignChannel } from '../../campaign.ts'
import { utmOf } from '../../utm.ts'
import type { PlanDeps } from '../dependencies.ts'
import type { BareGreeting } from '../greeting.ts'
import type { RenderedCampaign } from '../rendered.ts'
import { withFooters } from '../with-footer.ts'
import { blocksGate, type ShownMail } from './blocks.ts'
import {
  accessibilityGate,
  contentGate,
  type MissingVariables,
  mailProgramsGate,
  sizeGate,
  subjectGate,
  variablesGate,
} from './content.ts'
import type { Gate } from './gate.ts'
import { linksGate } from './links.ts'
import { postalGate, senderGate } from './sender.ts'
import { segmentsGate, stopGate } from './text.ts'
import { unsubscribeGate } from './unsubscribe.ts'

/** All, none, or those to the business's own hosts, with a warning that others are not asked or without. */
export type LinksAsked = boolean | 'own' | 'own_warned'

interface GateInput {
  campaign: Campaign
  /** The refusal if something that its audience uses no longer exists. */
  unknown: Refusal | undefined
  business: Pick<Reach, 'id'>
  deploying: DeploySettings
  sender: Sender | TextSender | Refusal
  rendered: RenderedCampaign
  counted: AudienceCount
  lacking: MissingVariables
  /** The mails with blocks that are not for all. */
  mails: readonly ShownMail[]
  /** One that comes out without a name for somebody. */
  greeting: BareGreeting | undefined
  asksLinks: LinksAsked
  /** Set for a mail that asks for permission to write. */
  permission: AskedPermission | undefined
}

/** Whom a mail that asks for permission to write would ask again. */
export interface AskedPermission {
  /** The campaigns that asked within half a year, newest first. */
  former: readonly Id<'campaign'>[]
  /** The mails of automations that ask. */
  ofAutomations: readonly Id<'template'>[]
  /** How many of the recipients got one of all these within half a year. */
  recipients: number
}

export async function evaluateGates(deps: PlanDeps, looked: GateInput): Promise<Gate[]> {
  const { campaign, unknown, business, deploying, sender, rendered, counted, lacking, asksLinks } =
    looked
  const blocks = blocksGate(looked.mails)
  const { channel } = campaign
  const { previews } = rendered
  const utm = utmOf(campaign, deploying.utm)
  const content = await contentGate(previews, rendered.compiled, looked.greeting)
  const links = asksLinks
    ? await linksGate(deps.checkLinks, business.id, {
        previews,
        own: deps.templates.testUrl,
        ...(asksLinks !== true && { hosts: await ownHosts(deps, business.id) }),
        warns: asksLinks === 'own_warned',
      })
    : undefined
  const own =
    channel === 'email'
      ? [
          senderGate(sender),
          await unsubscribeGate(deps.unsubscribeCheck, previews, hostOf(sender)),
          postalGate(deploying),
          await sizeGate(
            await withFooters(deps.db, deps, { businessId: business.id, previews, utm }),
            (page) => deps.unsubscribeCheck.bytesOfTracking(page, hostOf(sender)),
          ),
          await accessibilityGate(previews),
          await mailProgramsGate(previews),
          subjectGate(previews),
        ]
      : [senderGate(sender), stopGate(previews), segmentsGate(previews)]
  const chosen = audienceGate(campaign, unknown)
  return [
    ...(chosen ? [chosen] : []),
    ...own,
    looked.permission ? legalBasisGate(counted) : consentGate(channel, counted),
    ...(looked.permission ? [permissionGate(looked.permission, rendered)] : []),
    quotaGate(counted),
    content,
    ...(blocks ? [blocks] : []),
    variablesGate(lacking),
    ...(links ? [links] : []),
  ]
}

async function ownHosts({ db, templates }: PlanDeps, businessId: Id<'business'>) {
  return new Set([new URL(templates.testUrl).hostname, ...(await ownDomainsOf(db, businessId))])
}

/** The sender domain's own host name for links. */
function hostOf(sender: GateInput['sender']): string | undefined {
  return !isRefusal(sender) && 'trackingHost' in sender ? sender.trackingHost : undefined
}

/**
 * A wished audience that nothing matches never becomes everyone: somebody has to choose first.
 * Undefined if nothing has to be chosen. `unknown`: a segment that the audience uses is gone.
 */
function audienceGate(
  { id, audienceWish }: Pick<Campaign, 'id' | 'audienceWish'>,
  unknown?: Refusal,
): Gate | undefined {
  if (unknown) {
    return {
      gate: 'audience',
      result: 'block',
      evidence: unknown.message,
      findings: [{ finding: 'audience_gone' }],
      remedy: 'Choose another audience with campaign.save.',
      fix: { tool: 'campaign.save', arguments: { campaign_id: formatId('campaign', id) } },
    }
  }
  if (audienceWish === null) return undefined
  return {
    gate: 'audience',
    result: 'block',
    evidence: `The request was for “${audienceWish}”, and no tag of the contacts matches that.`,
    findings: [{ finding: 'audience_wish', wish: audienceWish }],
    remedy:
      'Ask the person whom it is for, then call campaign.save with audience: {tags: [...]} for contacts with one of these tags, or with audience: {} for everyone who agreed to the channel.',
    fix: {
      tool: 'campaign.save',
      arguments: { campaign_id: formatId('campaign', id) },
    },
  }
}

function consentGate(channel: CampaignChannel, { recipients, excluded }: AudienceCount): Gate {
  const gate = 'consent'
  const quota = excluded.find(({ reason }) => reason === 'tier_quota')?.count ?? 0
  const everybody = excluded.reduce((sum, { count }) => sum + count, recipients)
  if (recipients + quota > 0) {
    const agreed = recipients + quota
    const evidence = `${agreed} of ${everybody} agreed to ${channel} and can be sent to.`
    return { gate, result: 'pass', evidence, findings: [{ finding: 'agreed', agreed, everybody }] }
  }
  return {
    gate,
    result: 'block',
    evidence: `None of the ${everybody} in the audience agreed to ${channel} and can be sent to.`,
    findings: [{ finding: 'nobody_agreed', everybody, channel }],
    remedy:
      'Record consent that people gave with contact.upsert, or change the audience with campaign.save.',
    fix: { tool: 'contact.list', arguments: { [`${channel}_consent`]: 'subscribed' } },
  }
}

/**
 * A mail that asks whether it may write is advertising as well: it goes to those alone who may get advertising.
 * `existing_customer` is a basis of consent, too.
 */
function legalBasisGate(counted: AudienceCount): Gate {
  const gate = consentGate('email', counted)
  const rest = counted.excluded.filter(({ reason }) => reason !== 'tier_quota')
  if (gate.result === 'block' || rest.length === 0) return gate
  const reasons = rest.map(({ reason, count }) => `${reason} ${count}`).join(', ')
  return {
    ...gate,
    result: 'warn',
    evidence: `${gate.evidence} A mail that asks for permission is advertising, too: it goes only to people whose consent is on record, or who are customers. It does not reach the others: ${reasons}.`,
    findings: [
      ...(gate.findings ?? []),
      { finding: 'permission_is_advertising', excluded: rest.map((entry) => ({ ...entry })) },
    ],
    remedy:
      'Where a person agreed or is a customer, record that with contact.upsert (consent.email with basis). Do not write to the others.',
  }
}

/**
 * The answer is given on the preference page, which records it as fresh consent. Who is asked again and again is
 * pressed, and a silence that is followed by a question is no answer.
 */
function permissionGate(
  { former, ofAutomations, recipients }: AskedPermission,
  { compiled }: Pick<RenderedCampaign, 'compiled'>,
): Gate {
  const gate = 'permission'
  const isDeaf = compiled.some(
    ({ parts: { html, text } }) => !`${html ?? ''}${text}`.includes('preferences_url'),
  )
  if (isDeaf) {
    return {
      gate,
      result: 'block',
      evidence:
        'It asks for permission, and nothing in it leads to the page that records the answer.',
      findings: [{ finding: 'no_answer_link' }],
      remedy: 'Give the button the address {{ preferences_url }}, in each language and variant.',
    }
  }
  if (recipients === 0) {
    const evidence = `A yes is recorded as fresh consent, and nobody was asked within ${permissionMonths} months. Whoever has not said yes ${answerDays} days after the mail is unsubscribed from email then.`
    return { gate, result: 'pass', evidence }
  }
  const [last] = former
  const asking = [
    ...former.map((id) => ({ campaign_id: formatId('campaign', id) })),
    ...ofAutomations.map((id) => ({ template_id: formatId('template', id) })),
  ].map((mail) => ({ did_not: 'message.sent', ...mail, within: `${permissionMonths} months` }))
  const by = last === undefined ? 'by an automation' : `last by ${formatId('campaign', last)}`
  return {
    gate,
    result: 'block',
    evidence: `${recipients} of the recipients were asked for permission within ${permissionMonths} months, ${by}.`,
    findings: [{ finding: 'asked_recently', recipients, months: permissionMonths }],
    remedy: `Leave them out: filter ${JSON.stringify(asking.length === 1 ? asking[0] : { and: asking })} in the audience, with campaign.save.`,
    fix:
      last === undefined
        ? { tool: 'sequence.list', arguments: {} }
        : { tool: 'campaign.get', arguments: { campaign_id: formatId('campaign', last) } },
  }
}

/** For how long people are not asked a second time. */
export const permissionMonths = 6
/** For how long a mail that asks for permission waits for a yes. */
export const answerDays = 21

function quotaGate({ recipients, excluded }: AudienceCount): Gate {
  const gate = 'quota'
  const out = excluded.find(({ reason }) => reason === 'tier_quota')?.count ?? 0
  if (out === 0) return { gate, result: 'pass', evidence: 'The tier covers all of them.' }
  return {
    gate,
    result: recipients === 0 ? 'block' : 'warn',
    evidence: `The tier’s limit for this month leaves out ${out} of ${out + recipients}: they get nothing.`,
    findings: [{ finding: 'no_room', out, of: out + recipients }],
    remedy: 'Wait for the next month, narrow the audience, or have the tier raised.',
    fix: { tool: 'meta.usage', arguments: {} },
  }
}
