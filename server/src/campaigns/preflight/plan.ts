/** The plan: what deploying a campaign at this moment would do. */
import { readDeploySettings } from '../../accounts/businesses/deploy-settings.ts'
import { covers } from '../../contacts/consent/covers.ts'
import { nameFields } from '../../contacts/contact.ts'
import type { Filter } from '../../contacts/filters/filter.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Reach } from '../../core/operation.ts'
import type { Utm } from '../../core/utm.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { lookUpLanguage } from '../../lib/text/language-tag.ts'
import type { Compiled } from '../../templates/compile.ts'
import type { VersionContent } from '../../templates/owned.ts'
import { isEmail, isOfFeed } from '../../templates/source.ts'
import { keysShown, neededVariables } from '../../templates/variables.ts'
import { leftThisMonth } from '../../usage/reserve.ts'
import { type AudienceAsked, fittingFilter, plannedFor } from '../audience/audience.ts'
import { type AudienceCount, countByFilters, countRecipients } from '../audience/count.ts'
import { expandAudience, nobody } from '../audience/whole.ts'
import { type Campaign, sourceOf } from '../campaign.ts'
import { utmOf } from '../utm.ts'
import type { PlanDeps } from './dependencies.ts'
import { evaluateGates, type LinksAsked, permissionMonths } from './gates/all.ts'
import type { ShownMail } from './gates/blocks.ts'
import type { MissingVariables } from './gates/content.ts'
import type { Gate } from './gates/gate.ts'
import { personalHostsGate } from './gates/personal-hosts.ts'
import { segmentsPer } from './gates/text.ts'
import { findBareGreeting } from './greeting.ts'
import { audiencePrint, contentPrint, type PlanParts, planHash, senderPrint } from './plan-hash.ts'
import { type RenderedContent, type RenderedVariant, readRendered } from './rendered.ts'
import type { ProviderPlan } from './warm-up.ts'
import { planWarmUp } from './warm-up.ts'

export interface Plan extends Omit<AudienceCount, 'languages'> {
  /** Recipients by language, if the content has translations. Null is its first language. */
  languages: readonly { language: string | null; recipients: number }[] | undefined
  /** The sender; undefined if the business cannot send. */
  from: string | undefined
  /** How much of the tier it uses; a text counts by its segments. */
  cost: { metric: 'emails' | 'sms'; amount: number; left: number | null }
  samples: readonly RenderedVariant[]
  variants: readonly RenderedContent[]
  contents: readonly VersionContent[]
  /** Whether a feed filled in what it says, which is strangers' text. */
  ofFeed: boolean
  gates: readonly Gate[]
  /** Hosts of others that its links or pictures tell about each recipient. */
  personalHosts: readonly string[]
  /** By provider, while it limits a new sender; undefined where nothing is limited. */
  warmUp: readonly ProviderPlan[] | undefined
  /** What the links get; undefined for nothing. */
  utm: Utm | undefined
  parts: PlanParts
  /** The filter of the audience, including the filters of its segments. */
  filter: Filter | undefined
  /** The audience that was counted. */
  request: Omit<AudienceAsked, 'range'>
  hash: string
}

interface PlanAsked {
  business: Pick<Reach, 'id' | 'tier'>
  now: Date
  /** Whether its links are checked, which takes seconds. */
  asksLinks: LinksAsked
}

export async function planOf(
  deps: PlanDeps,
  campaign: Campaign,
  { business, now, asksLinks }: PlanAsked,
): Promise<Plan> {
  const { db, hmac, senders, textSenders } = deps
  const { channel, topic } = campaign
  const metric = channel === 'email' ? 'emails' : 'sms'
  const [whole, deploying, remaining, rendered, former] = await Promise.all([
    orRefusal(() => expandAudience(db, business.id, campaign.audience)),
    readDeploySettings(db, business.id),
    leftThisMonth(db, { businessId: business.id, tier: business.tier, metric, now }),
    readRendered(deps, business.id, campaign),
    formerlyAsking(db, business.id, campaign.id, now),
  ])
  if (!deploying) throw new Error('a campaign of a business that is not there')
  const mail = channel === 'email' ? await senders.senderOf(business.id) : undefined
  const sender = mail ?? (await textSenders.textSenderOf(business.id))
  const units = channel === 'email' ? 1 : Math.max(1, segmentsPer(rendered.previews))
  const quota = remaining === null ? null : Math.floor(remaining / units)
  const { timeZone: zone } = deploying
  const audience = isRefusal(whole) ? { filter: nobody } : whole
  const translations = translationsOf(rendered.previews)
  const source = sourceOf(campaign)
  const request = { businessId: business.id, channel, topic, audience, quota, now, zone, source }
  const byLanguage = Object.keys(translations).length > 0
  const { counted, lacking, mails, greeting, warmUp, permission } = await deps.audienceTurns.take(
    business.id,
    async () => {
      const counted = await countRecipients(db, hmac, { ...request, byLanguage })
      const lacking = await missingValues(db, request, rendered.compiled)
      const mails = await shownMails(db, request, rendered.contents)
      const greeting = await findBareGreeting(deps, rendered, request)
      const { recipients } = counted
      const warmUp =
        mail && !isRefusal(mail)
          ? await planWarmUp(deps, request, { domain: mail.domain, recipients })
          : undefined
      const permission = former && {
        ...former,
        recipients: await askedBefore(deps, request, former),
      }
      return { counted, lacking, mails, greeting, warmUp, permission }
    },
  )
  const from = isRefusal(sender) ? undefined : sender.from
  const unknown = isRefusal(whole) ? whole : undefined
  const looked = {
    campaign,
    unknown,
    business,
    deploying,
    sender,
    rendered,
    counted,
    lacking,
    mails,
    greeting,
    asksLinks,
    permission,
  }
  const { foreignPersonalHosts } = await import('../../messages/personal-links.ts')
  const personalHosts = await foreignPersonalHosts(db, {
    businessId: business.id,
    sources: rendered.contents.map(({ source }) => source),
    ownHosts: [new URL(deps.templates.testUrl).hostname],
  })
  const gates = withPersonalHosts(await evaluateGates(deps, looked), personalHosts)
  const utm = utmOf(campaign, deploying.utm)
  const parts = {
    recipients: counted.recipients,
    content: contentPrint(rendered.variants, utm),
    sender: senderPrint(from ?? ''),
    audience: audiencePrint(audience, topic),
  }
  return {
    ...counted,
    languages: byLanguage ? inLanguages(counted.languages, translations) : undefined,
    from,
    cost: { metric, amount: counted.recipients * units, left: remaining },
    samples: rendered.previews,
    variants: rendered.variants,
    contents: rendered.contents,
    ofFeed: rendered.contents.some(({ source }) => isOfFeed(source)),
    gates,
    personalHosts,
    warmUp,
    utm,
    parts,
    filter: audience.filter,
    request,
    hash: planHash(hmac, campaign.id, parts),
  }
}

/** The gates, with those hosts under `links`. */
function withPersonalHosts(gates: readonly Gate[], hosts: readonly string[]): readonly Gate[] {
  if (hosts.length === 0) return gates
  const others = gates.filter(({ gate }) => gate !== 'links')
  const links = gates.find(({ gate, result }) => gate === 'links' && result !== 'pass')
  const ours = personalHostsGate(hosts)
  if (!links) return [...others, ours]
  const evidence = `${ours.evidence} ${links.evidence}`
  return [...others, { ...ours, evidence, findings: [...ours.findings, ...(links.findings ?? [])] }]
}

/** Who would see which blocks, of each variant with blocks that are not for all. */
async function shownMails(
  db: Db,
  request: MissingAudience & { quota: number | null },
  contents: readonly VersionContent[],
): Promise<ShownMail[]> {
  const mails: ShownMail[] = []
  for (const { source, compiled } of contents) {
    const { conditions } = compiled
    if (!conditions || !isEmail(source)) continue
    const filters = conditions.map(({ filter }) => filter)
    const counts = await countByFilters(db, { ...request, filters })
    const groups = [...counts].map(([bits, count]) => {
      return { keys: new Set(keysShown(conditions, bits)), count }
    })
    for (const { blocks } of [source, ...Object.values(source.translations ?? {})]) {
      if (blocks) mails.push({ blocks, groups })
    }
  }
  return mails
}

/** The languages that any variant is translated into. */
function translationsOf(previews: readonly RenderedVariant[]): Record<string, true> {
  const tags = previews.flatMap(({ language }) => (language === undefined ? [] : [language]))
  return Object.fromEntries(tags.map((tag) => [tag, true as const]))
}

/** How many get each language, most first. */
function inLanguages(
  counted: AudienceCount['languages'],
  translations: Record<string, true>,
): NonNullable<Plan['languages']> {
  const counts = new Map<string | null, number>(
    [null, ...Object.keys(translations)].map((tag) => [tag, 0]),
  )
  for (const { language, count } of counted) {
    const tag = lookUpLanguage(translations, language) ?? null
    counts.set(tag, (counts.get(tag) ?? 0) + count)
  }
  const languages = [...counts].map(([language, recipients]) => ({ language, recipients }))
  return languages.sort((a, b) => b.recipients - a.recipients)
}

/** The stored part of a plan: the promised numbers, and what they are based on. */
export function storedPlan(plan: Plan): string {
  const { recipients, excluded, deferred, from, cost, gates, filter } = plan
  const verdicts = gates.map(({ gate, result, evidence }) => ({ gate, result, evidence }))
  return JSON.stringify({
    recipients,
    excluded,
    held: deferred,
    from,
    cost,
    gates: verdicts,
    filter,
  })
}

/** The number of newest contacts that are examined. */
const lookedAt = 10_000
const attributeForm = /^contact\.attributes\.([^.]+)$/

async function missingValues(
  db: Db,
  audience: MissingAudience,
  compiled: readonly Compiled[],
): Promise<MissingVariables> {
  const variables = [...new Set(compiled.flatMap((entry) => entry.variables))]
  const bare = variables.filter((name) => compiled.some((entry) => isBare(entry, name)))
  const keys = bare.flatMap((name) => attributeForm.exec(name)?.[1] ?? [])
  const names = nameFields.filter((field) => bare.includes(`contact.${field}`))
  const unknown = neededVariables(bare)
  if (keys.length === 0 && names.length === 0) return { unknown, missing: [], lookedAt: 0 }
  const request = { ...audience, keys, limit: lookedAt }
  const { looked, nameless, lacking } = await countMissing(db, request)
  const missing = keys.map((key, i) => ({
    name: `contact.attributes.${key}`,
    count: lacking[i] ?? 0,
  }))
  for (const field of names) {
    const count = nameless[nameFields.indexOf(field)] ?? 0
    missing.push({ name: `contact.${field}`, count })
  }
  return { unknown, missing: missing.filter(({ count }) => count > 0), lookedAt: looked }
}

/** Whether the variable is output somewhere without a default. */
function isBare({ parts }: Compiled, name: string): boolean {
  const outputs = Object.values(parts).flatMap(outputsOf)
  return outputs.some((output) => output.includes(name) && !/\|\s*default\b/.test(output))
}

/** The texts between `{{` and the next brace, if two braces close there. */
function outputsOf(part: string): string[] {
  const outputs: string[] = []
  for (let from = part.indexOf('{{'); from >= 0; ) {
    const end = part.indexOf('}', from)
    if (end < 0) break
    if (part[end + 1] === '}') outputs.push(part.slice(from, end))
    from = part.indexOf('{{', end)
  }
  return outputs
}

type MissingAudience = Omit<AudienceAsked, 'range' | 'quota'>

interface MissingAsked extends MissingAudience {
  /** The keys of attributes. */
  keys: string[]
  limit: number
}

interface MissingFound {
  looked: number
  /** How many lack each of the name fields. */
  nameless: number[]
  /** How many contacts lack a value, in the order of the keys. */
  lacking: number[]
}

/** Examines the newest contacts who consented to the channel. */
function countMissing(db: Db, request: MissingAsked): Promise<MissingFound> {
  const { businessId, channel, topic, audience, keys, limit } = request
  const tags = audience.tags ?? null
  return db.one(
    plannedFor(
      audience,
      sqlWithin`
      with newest as materialized (
        select name, first_name, last_name, attributes from contacts c
        where business_id = ${businessId}
          and case when ${channel} = 'email' then email_consent else sms_consent end = 'subscribed'
          and ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })}
          and (${tags}::text[] is null or tags && ${tags}::text[])
          and ${fittingFilter(request)}
        order by id desc limit ${limit}
      )
      select count(*)::int as looked, array[
          count(*) filter (where name is null), count(*) filter (where first_name is null),
          count(*) filter (where last_name is null)
        ]::int[] as nameless,
        array(
          select (select count(*)::int from newest where not attributes ? key)
          from unnest(${keys}::text[]) with ordinality as asked (key, place) order by place
        ) as lacking
      from newest
    `,
    ),
  )
}

interface FormerlyAsking {
  former: Id<'campaign'>[]
  ofAutomations: Id<'template'>[]
}

/**
 * The newest campaigns that asked for permission to write within the time in which nobody is asked again, and the mails
 * that automations ask with. Undefined if this campaign does not ask: none of its variants is the gallery's mail that
 * does.
 */
async function formerlyAsking(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
  now: Date,
): Promise<FormerlyAsking | undefined> {
  const { asks, ...mails } = await db.one<FormerlyAsking & { asks: boolean }>(sql`
    with asking as (
      select v.campaign_id from campaign_variants v
      join templates t on t.business_id = v.business_id and t.id = v.template_id
      where v.business_id = ${businessId} and t.gallery = 're-permission'
    )
    select
      ${campaignId}::uuid in (select campaign_id from asking) as asks,
      array(
        select id from campaigns
        where business_id = ${businessId} and id <> ${campaignId}
          and id in (select campaign_id from asking)
          and deployed_at > ${now}::timestamptz - make_interval(months => ${permissionMonths})
        order by deployed_at desc limit ${mostFormer}
      ) as former,
      array(
        select id from templates
        where business_id = ${businessId} and gallery = 're-permission' and campaign_id is null
        order by id desc limit ${mostFormer}
      ) as "ofAutomations"
  `)
  return asks ? mails : undefined
}

/** A filter of this many is quick. */
const mostFormer = 10

/** How many of the recipients got one of the former campaigns, or of these mails of automations. */
async function askedBefore(
  { db, hmac }: Pick<PlanDeps, 'db' | 'hmac'>,
  request: Omit<AudienceAsked, 'range'>,
  { former, ofAutomations }: FormerlyAsking,
): Promise<number> {
  if (former.length + ofAutomations.length === 0) return 0
  const { filter, ...audience } = request.audience
  const within = `${permissionMonths} months`
  const got = [
    ...former.map((id) => ({ did: 'message.sent', campaign_id: formatId('campaign', id) })),
    ...ofAutomations.map((id) => ({
      did: 'message.sent',
      template_id: formatId('template', id),
      within,
    })),
  ]
  const both = { and: [...(filter ? [filter] : []), { or: got }] }
  const { recipients } = await countRecipients(db, hmac, {
    ...request,
    audience: { ...audience, filter: both },
  })
  return recipients
}
