/**
 * The weekly mail to owners about a mandate: what was sent under it, what came of it, and one button
 * that pauses it.
 */
import { type MailLanguage, mailLanguageOf } from '../accounts/businesses/mail-language.ts'
import { ownersOf } from '../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../core/ids.ts'
import { pressUrl, stopLink } from '../core/press-link.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { type ServiceMailWords, serviceMail, withoutLinks } from '../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../lib/jobs/job.ts'
import { type Clock, days, hours, later, seconds } from '../lib/time/clock.ts'

const weeklyJob = 'mandate.weekly'
const mailJob = 'mandate.weekly-mail'

interface WeeklyPayload {
  business_id: Id<'business'>
  mandate_id: Id<'mandate'>
  /** The beginning of the week. */
  since: string
}

interface MailPayload extends WeeklyPayload {
  owner_id: Id<'user'>
  until: string
}

interface Week {
  businessId: Id<'business'>
  id: Id<'mandate'>
  since: Date
}

/** Queues the end of the week that begins now. */
export async function queueWeekly(
  tx: Tx,
  { businessId, id, since }: Week,
  now: Date,
): Promise<void> {
  const payload: WeeklyPayload = {
    business_id: businessId,
    mandate_id: id,
    since: since.toISOString(),
  }
  const dueAt = later(since, days(7))
  await enqueue(tx, [{ kind: weeklyJob, businessId, payload, dueAt }], now)
}

export interface MandateMailDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'seal' | 'open'>
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function mandateMailJobs(deps: MandateMailDeps): JobKinds {
  return {
    [weeklyJob]: { run: (job) => endWeek(deps, job as Job<WeeklyPayload>) },
    [mailJob]: {
      retryDelays: [seconds(30), seconds(300), hours(1), hours(6)],
      timeoutMs: seconds(60),
      run: (job) => sendMail(deps, job as Job<MailPayload>),
    },
  }
}

/** The last mail is that of the week in which the mandate ended. */
async function endWeek({ db, clock }: MandateMailDeps, { payload }: Job<WeeklyPayload>) {
  const { business_id: businessId, mandate_id: id } = payload
  const now = clock.now()
  await db.tx(async (tx) => {
    const mandate = await tx.maybe<{ isOver: boolean }>(sql`
      select ended_at is not null or ends_at <= ${now} as "isOver" from mandates
      where business_id = ${businessId} and id = ${id} for no key update
    `)
    if (!mandate) return
    const owners = await ownersOf(tx, businessId)
    const jobs = owners.map((owner_id) => ({
      kind: mailJob,
      businessId,
      payload: { ...payload, owner_id, until: now.toISOString() } satisfies MailPayload,
    }))
    await enqueue(tx, jobs, now)
    if (!mandate.isOver) await queueWeekly(tx, { businessId, id, since: now }, now)
  })
}

async function sendMail(
  { db, clock, vault, mailer, urls: { appUrl }, mailFrom }: MandateMailDeps,
  { id: jobId, payload }: Job<MailPayload>,
): Promise<void> {
  const { business_id: businessId, mandate_id: id, owner_id } = payload
  const week = await findWeek(db, payload)
  if (!week) return
  const language = await mailLanguageOf(db, businessId)
  const business = formatId('business', businessId)
  const words = wordsIn[language](week)
  const press = {
    act: 'mandate.pause' as const,
    business,
    object: formatId('mandate', id),
    user: owner_id,
  }
  const url = pressUrl({ vault, appUrl, now: clock.now() }, press)
  const linkDeps = { vault, appUrl, now: clock.now() }
  const also = [
    { label: words.page, url: `${appUrl}/b/${business}/connections` },
    stopLink(linkDeps, { business, user: owner_id, language }),
  ]
  const mail = serviceMail({ ...words, url, also, language })
  await mailer.send({ name: `mandate.${jobId}`, from: mailFrom, to: week.to, ...mail })
}

interface Told {
  to: string
  businessName: string
  clientName: string
  goal: string
  isPaused: boolean
  campaigns: { name: string; sent: number; opened: number; clicked: number; left: number }[]
  automations: { name: string; entered: number }[]
}

/** Undefined for somebody who is no longer an owner. */
async function findWeek(
  db: Db,
  { business_id: businessId, mandate_id: id, owner_id, since, until }: MailPayload,
): Promise<Told | undefined> {
  const found = await db.maybe<Omit<Told, 'campaigns' | 'automations'>>(sql`
    select owner.email as to, b.name as "businessName", coalesce(client.name, '') as "clientName",
      m.terms ->> 'goal' as goal, m.paused_at is not null as "isPaused"
    from mandates m
    join memberships o on o.business_id = m.business_id and o.user_id = ${owner_id}
      and o.role = 'owner'
    join users owner on owner.id = o.user_id
    join businesses b on b.id = m.business_id
    join connections c on c.id = m.connection_id
    left join oauth_clients client on client.id = c.client_id
    where m.business_id = ${businessId} and m.id = ${id}
  `)
  if (!found) return undefined
  const campaigns = await db.all<Told['campaigns'][number]>(sql`
    select c.name,
      coalesce(sum(n.amount) filter (where n.metric = 'sent'), 0)::int as sent,
      coalesce(sum(n.amount) filter (where n.metric = 'opened'), 0)::int as opened,
      coalesce(sum(n.amount) filter (where n.metric = 'clicked'), 0)::int as clicked,
      coalesce(sum(n.amount) filter (where n.metric in ('unsubscribed', 'complained')), 0)::int
        as left
    from mandate_orders o
    join campaigns c on c.business_id = ${businessId} and c.id = o.object_id
    left join campaign_counts n on n.business_id = ${businessId} and n.campaign_id = c.id
    where o.business_id = ${businessId} and o.mandate_id = ${id} and o.kind = 'campaign'
      and o.at >= ${since} and o.at < ${until}
    group by c.id, c.name order by c.id limit 20
  `)
  const automations = await db.all<Told['automations'][number]>(sql`
    select s.name, (
        select count(*)::int from sequence_entries e
        where e.business_id = ${businessId} and e.sequence_id = s.id
          and e.entered_at >= ${since} and e.entered_at < ${until}
      ) as entered
    from mandate_orders o
    join sequences s on s.business_id = ${businessId} and s.id = o.object_id
    where o.business_id = ${businessId} and o.mandate_id = ${id} and o.kind = 'sequence'
    order by s.id limit 20
  `)
  return {
    ...found,
    businessName: withoutLinks(found.businessName),
    clientName: withoutLinks(found.clientName),
    campaigns: campaigns.map((row) => ({ ...row, name: withoutLinks(row.name) })),
    automations: automations.map((row) => ({ ...row, name: withoutLinks(row.name) })),
  }
}

type Words = ServiceMailWords & { page: string }

const wordsIn: Record<MailLanguage, (week: Told) => Words> = {
  en: ({ businessName, clientName, goal, isPaused, campaigns, automations }) => ({
    subject: `What ${clientName} sent for ${businessName} this week`,
    message: [
      `“${clientName}” may send by itself for “${businessName}”: ${goal}`,
      ...campaigns.map(
        ({ name, sent, opened, clicked, left }) =>
          `“${name}”: ${sent} sent, ${opened} opened, ${clicked} clicked, ${left} unsubscribed or complained.`,
      ),
      ...automations.map(({ name, entered }) => `Automation “${name}”: ${entered} people entered.`),
      ...(campaigns.length + automations.length === 0 ? ['It sent nothing.'] : []),
      ...(isPaused ? ['The mandate is paused.'] : []),
    ].join(' '),
    button: 'Pause the mandate',
    page: 'See the mandate',
    terms: 'If you pause it, what is being sent under it stops, and the app asks again.',
    otherwise: 'If all is well, you need not do anything.',
  }),
  de: ({ businessName, clientName, goal, isPaused, campaigns, automations }) => ({
    subject: `Was ${clientName} diese Woche für ${businessName} gesendet hat`,
    message: [
      `„${clientName}“ darf für „${businessName}“ selbst senden: ${goal}`,
      ...campaigns.map(
        ({ name, sent, opened, clicked, left }) =>
          `„${name}“: ${sent} gesendet, ${opened} geöffnet, ${clicked} geklickt, ${left} abgemeldet oder beschwert.`,
      ),
      ...automations.map(
        ({ name, entered }) => `Automation „${name}“: ${entered} Personen aufgenommen.`,
      ),
      ...(campaigns.length + automations.length === 0 ? ['Gesendet wurde nichts.'] : []),
      ...(isPaused ? ['Die Vollmacht ist pausiert.'] : []),
    ].join(' '),
    button: 'Vollmacht pausieren',
    page: 'Vollmacht ansehen',
    terms:
      'Wenn Sie sie pausieren, hält an, was gerade damit gesendet wird, und die App fragt wieder.',
    otherwise: 'Wenn alles in Ordnung ist, müssen Sie nichts tun.',
  }),
  fr: ({ businessName, clientName, goal, isPaused, campaigns, automations }) => ({
    subject: `Les envois de ${clientName} pour ${businessName} cette semaine`,
    message: [
      `« ${clientName} » peut envoyer de lui-même pour « ${businessName} » : ${goal}`,
      ...campaigns.map(
        ({ name, sent, opened, clicked, left }) =>
          `« ${name} » : ${sent} envoyés, ${opened} ouverts, ${clicked} cliqués, ${left} désinscriptions ou plaintes.`,
      ),
      ...automations.map(
        ({ name, entered }) => `Automatisation « ${name} » : ${entered} personnes entrées.`,
      ),
      ...(campaigns.length + automations.length === 0 ? ['Il n’a rien envoyé.'] : []),
      ...(isPaused ? ['Le mandat est en pause.'] : []),
    ].join(' '),
    button: 'Mettre le mandat en pause',
    page: 'Voir le mandat',
    terms:
      'Si vous le mettez en pause, les envois en cours s’arrêtent et l’application demande de nouveau.',
    otherwise: 'Si tout va bien, vous n’avez rien à faire.',
  }),
}
