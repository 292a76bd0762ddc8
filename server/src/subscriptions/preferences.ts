/** A person's subscriptions to a business, read and changed with the link in a mail. */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import type { Messages } from '../bounces/message-lookup.ts'
import { limits } from '../config.ts'
import { type ContactChoices, changeConsent } from '../contacts/consent/change-consent.ts'
import {
  type Channel,
  type ConsentGiven,
  type Contact,
  type ContactValues,
  channels,
} from '../contacts/contact.ts'
import { readCurrentContact } from '../contacts/find.ts'
import { liftByPerson, liftedByChoosing } from '../contacts/suppressions/lift.ts'
import { listTopics, type Topic, topicIn } from '../contacts/topics/topic.ts'
import { isRefusal, orThrow, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { chooseLanguage, type RecipientLanguage } from '../core/recipient-words/languages.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { countAttempt } from '../lib/rate-limit/attempts.ts'
import { type Clock, days, hours, later } from '../lib/time/clock.ts'
import { type OwnAttention, readOwnAttention, saveOwnAttention } from '../messages/attention.ts'
import { type PreferencesSubject, readPreferencesToken } from '../tracking/tokens.ts'
import type { Visit } from '../tracking/visitor.ts'
import {
  affirmedIn,
  type Change,
  type Choice,
  changesOf,
  choicesOf,
  type Often,
  type TrackingChoice,
  trackingChangeOf,
  trackingChoiceOf,
  type Wish,
} from './choices.ts'

export interface Preferences {
  business: string
  /** The language of the page: the contact's, otherwise the business's. */
  language: RecipientLanguage
  choices: Choice[]
  /** Undefined if the business tracks nobody. */
  tracking: TrackingChoice | undefined
  /** How often the person wants marketing. */
  often: Often
  /** Whether there is a digest that they could get alone. */
  hasDigest: boolean
  /** The channel of the message that the person came from. One-click unsubscribing leaves it. */
  channel: Channel
  /** The topic of that message. One-click unsubscribing leaves only it. */
  about: Pick<Topic, 'key' | 'name'> | undefined
}

export interface PreferenceDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'hmac'>
  senderProfileOf: ReadSenderProfile
  messages: Pick<Messages, 'recordReports' | 'topicOf' | 'asksPermission'>
}

/** The contact that the link belongs to, and the message that it was in, which may be deleted. */
export type Holder = PreferencesSubject

const brokenLink =
  'It may have been cut off when it was copied. Open the mail again and press the link at its end. If that leads here as well, reply to the mail and ask its sender to stop: nothing has been changed by this page.'

export function holderOf(vault: Pick<Vault, 'hmac'>, token: string): Holder {
  const holder = readPreferencesToken(vault, token)
  if (!holder) throw refuse('not_found', brokenLink)
  return holder
}

export async function preferencesOf(deps: PreferenceDeps, holder: Holder): Promise<Preferences> {
  const scene = await sceneOf(deps, holder)
  return preferencesIn(scene, scene.contact)
}

export interface PreferenceChange {
  selection: (preferences: Preferences) => Wish
  /** The text that the person agreed to or declined, for the consent ledger. */
  words: (business: SenderProfile, change: Change, language: RecipientLanguage) => string
  /** How the change was made, such as `one-click unsubscribe`. */
  way: string
  visit: Visit
}

/**
 * Makes the changes at once: queued messages are no longer sent. Opting out is never refused. Other
 * changes are limited for each link and hour.
 */
export async function setPreferences(
  deps: PreferenceDeps,
  holder: Holder,
  request: PreferenceChange,
): Promise<Preferences> {
  const scene = await sceneOf(deps, holder)
  const before = preferencesIn(scene, scene.contact)
  const selection = request.selection(before)
  const missing = missingIn(before.choices, selection)
  if (missing) throw missing
  const affirmed = affirmedIn(before.choices, selection)
  const { businessId, messageId } = holder
  const isAsked =
    affirmed.length > 0 && (await deps.messages.asksPermission(deps.db, businessId, messageId))
  const changes = [
    ...(isAsked ? affirmed : []),
    ...changesOf(before.choices, selection),
    ...trackingChangeOf(before.tracking, selection),
  ]
  const wantsMore = selection.often === 'all' && before.often !== 'all'
  const over =
    wantsMore || changes.some(({ wanted }) => wanted) ? await overLimit(deps, holder) : undefined
  const allowed = over ? changes.filter(({ wanted }) => !wanted) : changes
  const { often } = selection
  if (often !== undefined && often !== before.often && !(over && often === 'all')) {
    const own = { businessId: holder.businessId, contactId: scene.contact.id }
    scene.often = often
    await saveOwnAttention(deps.db, own, attentionFor(often, deps.clock.now()), deps.clock.now())
  }
  const after = await change(deps, holder, { scene, changes: allowed, request })
  if (!over) await liftChosen(deps, holder, { selection, contact: scene.contact })
  if (over) throw over
  return after
}

/** For how long a person pauses. */
const pauseDays = 30

function attentionFor(often: Often, now: Date): OwnAttention {
  return {
    max: often === 'weekly' ? 1 : null,
    perDays: often === 'weekly' ? 7 : null,
    isDigestOnly: often === 'digest',
    pausedUntil: often === 'pause' ? later(now, days(pauseDays)) : null,
  }
}

function oftenOf(own: OwnAttention | undefined, now: Date): Often {
  if (own?.pausedUntil && own.pausedUntil > now) return 'pause'
  if (own?.isDigestOnly) return 'digest'
  return own?.max != null ? 'weekly' : 'all'
}

/** Refuses to choose a channel for which the person has no address; there is nothing to stop on one. */
function missingIn(choices: readonly Choice[], selection: Wish): Refusal | undefined {
  const available = new Set<string>(choices.map(({ channel }) => channel))
  const missing = channels.find((name) => selection.channels[name] === true && !available.has(name))
  if (missing === undefined) return undefined
  const text = `There is no address for ${missing}.`
  return refuse('invalid_request', text, {
    field: `consent.${missing}`,
    data: { reason: 'no_address' },
  })
}

/** Limits changes, so that a shared link cannot be used to fill the consent ledger. */
export async function overLimit(
  { db, clock, vault }: PreferenceDeps,
  { contactId, messageId }: Holder,
): Promise<Refusal | undefined> {
  const limit = limits.preferenceChangesPerHour
  const refusal = await countAttempt(db, vault, {
    purpose: 'preferences.link',
    subject: `${messageId} ${contactId}`,
    limit,
    windowMs: hours(1),
    now: clock.now(),
  })
  if (!refusal) return undefined
  const { retryAfter = 1 } = refusal.details
  const wait = retryAfter < 120 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`
  const text = `This link allows ${limit} changes an hour, and they have been made. Wait ${wait} before you ask for more messages. You can stop messages at any time.`
  return refuse('rate_limited', text, { retryAfter })
}

interface Changing {
  scene: Scene
  changes: readonly Change[]
  request: PreferenceChange
}

async function change(
  deps: PreferenceDeps,
  { businessId, messageId, channel: ownChannel }: Holder,
  { scene, changes, request }: Changing,
): Promise<Preferences> {
  if (changes.length === 0) return preferencesIn(scene, scene.contact)
  const now = deps.clock.now()
  const { senderProfile } = scene
  const language = languageOf(scene)
  const source = `${request.way}, ${formatId('message', messageId)}`
  const choices = changes.map((entry) => ({
    channel: entry.channel,
    status: entry.wanted ? ('subscribed' as const) : ('unsubscribed' as const),
    ...(entry.isAffirmed && { isAffirmed: true }),
    ...(entry.topic && { topics: [entry.topic.key], returns: true }),
    source,
    text: request.words(senderProfile, entry, language),
    ...evidenceOf(request.visit),
  }))
  const leaves = changes.some(({ channel, wanted }) => channel === ownChannel && !wanted)
  const values = orThrow(
    await deps.db.tx(async (tx) => {
      const changed = await changeCurrent(
        tx,
        { businessId, contactId: scene.contact.id, choices },
        now,
      )
      // The campaign of the message counts the unsubscription.
      const news = {
        businessId,
        messageId,
        event: 'unsubscribed' as const,
        at: now,
        source: 'link',
      }
      if (!changed || isRefusal(changed)) return changed
      if (leaves) await deps.messages.recordReports(tx, [news], now)
      return changed
    }),
  )
  if (values) return preferencesIn(scene, values)
  throw linkGone()
}

/** The contact may have been merged since it was read. */
async function changeCurrent(tx: Tx, request: ContactChoices, now: Date) {
  const changed = await changeConsent(tx, request, now)
  if (changed) return changed
  const contact = await readCurrentContact(tx, request.businessId, request.contactId)
  return contact && changeConsent(tx, { ...request, contactId: contact.id }, now)
}

interface SavedSelection {
  selection: Wish
  contact: ContactValues
}

/**
 * A person who chooses a channel also revokes an earlier unsubscription from it elsewhere, such as
 * one in an imported list, even if their consent to the channel exists already.
 */
async function liftChosen(
  { db, vault }: PreferenceDeps,
  { businessId }: Holder,
  { selection, contact }: SavedSelection,
): Promise<void> {
  for (const channel of channels) {
    const address = channel === 'email' ? contact.email : contact.phone
    if (address === null || selection.channels[channel] !== true) continue
    const own = { businessId, channel, address, reasons: liftedByChoosing }
    await db.tx((tx) => liftByPerson(tx, vault.hmac, own))
  }
}

/** The data of the page. */
interface Scene {
  senderProfile: SenderProfile
  /** The link's contact now. After a merge, the contact that it became. */
  contact: Contact
  /** The topics that the page offers. */
  topics: Topic[]
  channel: Channel
  about: Topic | undefined
  often: Often
  hasDigest: boolean
}

async function hasRunningFeed(db: Db, businessId: Id<'business'>): Promise<boolean> {
  const { has } = await db.one<{ has: boolean }>(sql`
    select exists (
      select from feeds where business_id = ${businessId} and status = 'running'
    ) as has
  `)
  return has
}

async function sceneOf(
  { db, clock, senderProfileOf, messages }: PreferenceDeps,
  holder: Holder,
): Promise<Scene> {
  const { businessId, contactId, channel } = holder
  const [senderProfile, contact, all] = await Promise.all([
    senderProfileOf(businessId),
    readCurrentContact(db, businessId, contactId),
    listTopics(db, businessId),
  ])
  if (!senderProfile || !contact) throw linkGone()
  // Without topics, no message is about a topic, so no query is needed.
  const key = all.length > 0 ? await topicOf({ db, messages }, holder) : undefined
  const language = chooseLanguage(contact.language, senderProfile.language)
  const inLanguage = all.map((topic) => topicIn(topic, language))
  const about = inLanguage.find((topic) => topic.key === key)
  const topics = inLanguage.filter((topic) => topic.archivedAt === null || topic === about)
  const own = await readOwnAttention(db, businessId, contact.id)
  const hasDigest = await hasRunningFeed(db, businessId)
  const often = oftenOf(own, clock.now())
  return { senderProfile, contact, topics, channel, about, often, hasDigest }
}

async function topicOf(
  { db, messages }: Pick<PreferenceDeps, 'db' | 'messages'>,
  { businessId, messageId, topic }: Holder,
): Promise<string | undefined> {
  return topic === undefined ? messages.topicOf(db, businessId, messageId) : (topic ?? undefined)
}

function languageOf({ senderProfile, contact }: Scene): RecipientLanguage {
  return chooseLanguage(contact.language, senderProfile.language)
}

function preferencesIn(scene: Scene, contact: ContactValues): Preferences {
  const { senderProfile, topics, channel, about } = scene
  return {
    business: senderProfile.name,
    language: languageOf(scene),
    choices: choicesOf(contact, topics),
    tracking: trackingChoiceOf(contact, senderProfile),
    often: scene.often,
    hasDigest: scene.hasDigest || scene.often === 'digest',
    channel,
    about,
  }
}

const agentLength = 500

export function evidenceOf({ address, agent }: Visit): Pick<ConsentGiven, 'ip' | 'agent'> {
  return { ip: address, ...(agent !== undefined && { agent: agent.slice(0, agentLength) }) }
}

/** The contact was erased, so nothing is sent to it any more. */
function linkGone(): Refusal {
  return refuse('gone', 'Nothing is sent to this address any more: it is on no list here.')
}
