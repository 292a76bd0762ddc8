import { isDeepStrictEqual } from 'node:util'
import { retentionLimits } from '../../config/retention-limits.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { checkFreshFactor } from '../../core/fresh-factor.ts'
import { checkFreshSignIn } from '../../core/fresh-sign-in.ts'
import { formatId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { checkTakesDataOut } from '../../core/taking-out.ts'
import { utmValues } from '../../core/utm.ts'
import { recordAudit } from '../../events/audit.ts'
import { parseMailbox } from '../../lib/email/header-fields.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { canBeAnswered } from '../../lib/sms/sender.ts'
import { trackingPolicies } from '../businesses/business.ts'
import {
  countSettingsChange,
  findSettings,
  lockProtectiveSettings,
  type ProtectiveSettings,
} from '../businesses/queries.ts'
import { fewestMonths, shortenedKind } from '../businesses/retention.ts'
import { recordSave } from '../saves/last-save.ts'
import { ifVersionInput, refuseStale } from '../saves/stale-save.ts'
import { archiveInput, archiveWith } from './archive-setting.ts'
import { attentionInput, isLooser, readAttention } from './attention.ts'
import { contrastWarning } from './contrast.ts'
import { attributionDays, maxDeployLimit } from './setting-values.ts'
import { setBusiness } from './settings.ts'
import { type SettingsParts, settingsFields, settingsUrl, showSettings } from './settings-view.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const textOrNull = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

const months = (description: string, minimum: number = retentionLimits.minMonths) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum, maximum: retentionLimits.maxMonths }), Type.Null()], {
      description,
    }),
  )

const settingsInput = {
  name: text(200),
  postal_address: textOrNull(1_000, 'Under marketing mail.'),
  sender: Type.Optional(
    Type.Union(
      [
        Type.Object(
          { name: Type.Optional(Type.String({ maxLength: 100 })), email: Type.String() },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null: the first verified domain.' },
    ),
  ),
  reply_to: textOrNull(254, 'null: the sender.'),
  sms_sender: textOrNull(64, 'Number, short code or name.'),
  sms_help: textOrNull(400, 'Answer to HELP.'),
  time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'Such as Europe/Paris.' })),
  language: Type.Optional(Type.String({ maxLength: 64, description: 'Such as pt-BR.' })),
  track_opens: Type.Optional(Type.Boolean()),
  track_clicks: Type.Optional(Type.Boolean()),
  track_transactional: Type.Optional(Type.Boolean()),
  tracking: Type.Optional(Type.Enum(trackingPolicies, { description: 'Who is tracked.' })),
  attribution_days: Type.Optional(
    Type.Integer({
      ...attributionDays,
      description: 'Click to order.',
    }),
  ),
  // Before the limit, which can be lifted in the call that switches it off.
  two_people: Type.Optional(Type.Boolean({ description: 'Another person approves.' })),
  deploy_limit: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: maxDeployLimit }), Type.Null()], {
      description: 'Recipients without approval; a person raises it.',
    }),
  ),
  colour: textOrNull(20, 'Of buttons: #4338ca.'),
  privacy_url: textOrNull(2_000, 'Privacy policy.'),
  utm: Type.Optional(utmValues('Of links: source, medium, campaign, term, content.')),
  archive: archiveInput,
  attention: attentionInput,
  retention: Type.Optional(
    Type.Object(
      {
        messages: months('Bodies.'),
        evidence: months('IPs and agents.'),
        submissions: months('Answers.'),
        contacts: months('Not contacted.'),
        history: months('Sent, timelines.', fewestMonths.history),
        events: months('Own events.', fewestMonths.events),
      },
      { additionalProperties: false, description: 'Months kept; a person alone shortens it.' },
    ),
  ),
}

const whole = Type.Object(settingsInput)
const shownSettings = Type.Object(settingsFields)
type Input = Static<typeof whole>

export function businessSave(parts: SettingsParts) {
  return operation({
    name: 'business.save',
    title: 'Change the settings of a business',
    area: 'business',
    everyday: true,
    summary: 'Change settings, such as what a deploy needs; the rest stays.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'owner',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PATCH /v1/businesses/settings',
    input: { ...settingsInput, if_version: ifVersionInput },
    output: Type.Object({ ...settingsFields, warnings: Type.Array(Type.String()) }),

    async run(context, { if_version: ifVersion, ...input }) {
      const { business, now, principal, write, origin } = context
      if (input.reply_to) {
        const action = 'Another reply address'
        checkTakesDataOut(context, { action, page: '/settings', field: 'reply_to' })
      }
      if (input.sender) await checkSender(parts, context, input.sender)
      const changedSettings = changesOf(input)
      // Not within the transaction, which must not wait for a second connection.
      const publicBase = await parts.publicBaseOf(business.id)
      const showing = { appUrl: parts.appUrl, missingIn: parts.missingIn, publicBase }
      const saved = await write(async (tx) => {
        const before = await lockProtectiveSettings(tx, business.id)
        if (!before) throw refuse('not_found', 'There is no such business.')
        const loosened = loosenedSetting(before, input)
        if (loosened) {
          const { appUrl } = parts
          if (principal.connectionId !== null) {
            throw onlyInTheApp(loosened, settingsUrl(appUrl, business.id))
          }
          checkFreshSignIn(principal, { now, appUrl, what: freshActs[loosened] })
          checkFreshFactor(context, 'limits')
        }
        const object = { businessId: business.id, objectId: business.id }
        const compared = comparison(input, await showSettings(tx, showing, business))
        const stale = await refuseStale(tx, principal, {
          noun: 'settings page',
          object,
          ifVersion,
          ...compared,
          fix: {
            tool: 'business.get',
            arguments: { business_id: formatId('business', business.id) },
          },
        })
        if (stale) throw stale
        if (!isDeepStrictEqual(compared.yours, compared.theirs)) {
          await countSettingsChange(tx, business.id)
          await recordSave(tx, object, { origin, now })
        }
        for (const [key, value] of changedSettings) {
          await setBusiness(tx, business.id, { key, value, now })
        }
        const isShown = (key: 'colour' | 'language') => {
          const value = compared.yours[key]
          return value !== undefined && value !== compared.theirs[key]
        }
        if (isShown('colour') || isShown('language')) {
          await enqueue(tx, [parts.restyle(business.id)], now)
        }
        const entry = {
          businessId: business.id,
          action: 'business.save',
          subject: formatId('business', business.id),
        }
        await recordAudit(tx, [{ ...entry, details: auditDetails(input), origin }], now)
        const shown = await showSettings(tx, showing, business)
        return { ...shown, warnings: warningsOf(shown) }
      })
      parts.changed(business.id)
      return saved
    },
  })
}

/** Answers go to the sender's address: it stays as it is, or within the business's own domains. */
async function checkSender(
  parts: SettingsParts,
  context: BusinessContext,
  { email }: NonNullable<Input['sender']>,
): Promise<void> {
  const { db, business, principal } = context
  if (!principal.keepsDataIn) return
  const address = email.toLowerCase()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if ((await parts.ownDomainsOf(business.id)).includes(domain)) return
  const stored = (await findSettings(db, business.id))?.sender
  if (stored && parseMailbox(stored).address.toLowerCase() === address) return
  const action = 'A sender outside of the verified domains'
  checkTakesDataOut(context, { action, page: '/settings', field: 'sender' })
}

/** What the call gives, beside the same settings as they are stored. */
function comparison(input: Input, shown: Static<typeof shownSettings>) {
  const named = Object.keys(settingsInput).filter((key) => Object.hasOwn(input, key))
  const stored: Record<string, unknown> = { ...shown }
  const yours: Record<string, unknown> = { ...input }
  if (input.attention) {
    yours['attention'] = JSON.parse(readAttention(JSON.stringify(input.attention)) ?? 'null')
  }
  if (input.retention) yours['retention'] = { ...shown.retention, ...input.retention }
  if (input.archive) yours['archive'] = archiveWith(shown.archive, input.archive)
  return {
    version: shown.version,
    yours: Object.fromEntries(named.map((key) => [key, yours[key]])),
    theirs: Object.fromEntries(named.map((key) => [key, stored[key]])),
  }
}

/** The changed settings, each as the text that settings are read from. */
function changesOf(input: Input): [key: string, value: string][] {
  const { sender } = input
  if (sender?.name && /[<>"]/.test(sender.name)) {
    const message = 'The name of the sender cannot contain < > or ".'
    throw refuse('invalid_request', message, {
      field: 'sender.name',
      data: { reason: 'sender_name' },
    })
  }
  const spelt: Record<string, string | number | boolean | null | undefined> = {
    ...input,
    sender: sender && (sender.name ? `${sender.name} <${sender.email}>` : sender.email),
    ...(input.deploy_limit === null && { deploy_limit: 'none' }),
    retention: input.retention && JSON.stringify(input.retention),
    utm: input.utm && JSON.stringify(input.utm),
    archive: input.archive && JSON.stringify(input.archive),
    attention: input.attention && JSON.stringify(input.attention),
  }
  const changes = Object.keys(settingsInput).flatMap((key): [string, string][] => {
    const value = spelt[key]
    if (value === undefined) return []
    return [[key, typeof value === 'boolean' ? yesNo(value) : `${value ?? ''}`]]
  })
  if (changes.length > 0) return changes
  const names = Object.keys(settingsInput).join(', ')
  const message = `Name at least one setting to change: ${names}.`
  throw refuse('invalid_request', message, { field: 'name', data: { reason: 'nothing_changed' } })
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

type Protective = 'deploy_limit' | 'two_people' | 'retention' | 'attention'

/** The first protective setting that this call would loosen; less retention deletes for good. */
function loosenedSetting(before: ProtectiveSettings, input: Input): Protective | undefined {
  const { deploy_limit: limit, two_people } = input
  const room = (value: number | null) => value ?? Infinity
  if (limit !== undefined && room(limit) > room(before.deployLimit)) return 'deploy_limit'
  if (two_people === false && before.twoPeople) return 'two_people'
  if (isLooser(before.attention, input.attention)) return 'attention'
  return shortenedKind(before.retention, input.retention ?? {}) && 'retention'
}

const freshActs: Record<Protective, string> = {
  deploy_limit: 'The number of recipients without approval is raised',
  two_people: 'The approval by another person is switched off',
  retention: 'Retention is shortened',
  attention: 'The cap on marketing is loosened',
}

function onlyInTheApp(field: Protective, url: string): Refusal {
  const rule = {
    deploy_limit: 'deploy_limit can be lowered here; an owner alone raises it',
    two_people: 'two_people can be switched on here; an owner alone switches it off',
    retention: 'retention can be lengthened here; an owner alone shortens it',
    attention: 'attention can be tightened here; an owner alone loosens it',
  }[field]
  return refuse('role_required', `${rule}, signed in to the app: ${url}`, {
    field,
    data: { role: 'owner' },
    fix: { url },
  })
}

/**
 * The names of the changed settings for the audit log; their values only where they are no
 * personal data.
 */
function auditDetails(input: Input): Record<string, string | number | boolean | null> {
  const { deploy_limit, two_people, retention, attention } = input
  const named = Object.keys(settingsInput).filter((key) => Object.hasOwn(input, key))
  return {
    settings: named.join(' '),
    ...(deploy_limit !== undefined && { deploy_limit }),
    ...(two_people !== undefined && { two_people }),
    ...(retention !== undefined && { retention: JSON.stringify(retention) }),
    ...(attention !== undefined && { attention: JSON.stringify(attention) }),
  }
}

interface Warned {
  colour: string | null
  sms_sender: string | null
  deploy_limit: number | null
  two_people: boolean
}

function warningsOf({ colour, sms_sender, deploy_limit, two_people }: Warned): string[] {
  const contrast = contrastWarning(colour)
  const mute = sms_sender !== null && !canBeAnswered(sms_sender)
  return [
    ...(contrast === undefined ? [] : [contrast]),
    ...(mute
      ? [`Nobody can answer STOP to the name ${sms_sender}, so it sends no marketing by SMS.`]
      : []),
    ...(two_people && deploy_limit === null
      ? ['No campaign waits for the second person: deploy_limit is not set, and 0 has all wait.']
      : []),
  ]
}
