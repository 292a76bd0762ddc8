/**
 * The closed list of event types: those of the contract (9.2), then Crier's own.
 * Each names the scopes that cover its data: a feed or webhook shows it only to a connection that
 * holds them all.
 */

import { scopes as everyScope, type Scope } from '../core/operation.ts'
import type { Static, TObject } from '../lib/schema/schema.ts'
import { domainDegraded, domainVerified, usageThreshold, webhookFailing } from './data/account.ts'
import {
  contactCreated,
  contactErased,
  contactEvent,
  contactResubscribed,
  contactUnsubscribed,
  contactUpdated,
  formSubmitted,
  importCompleted,
} from './data/audience.ts'
import {
  campaignAwaitingApproval,
  campaignCompleted,
  campaignDeployed,
  campaignPaused,
  campaignProviderHeld,
  campaignResumed,
  messageAccepted,
  messageBounced,
  messageClicked,
  messageComplained,
  messageDeferred,
  messageDelivered,
  messageFailed,
  messageOpened,
  messageReplied,
  messageSent,
  messageSuppressed,
  sequenceEntered,
  sequenceFinished,
  sequenceLeft,
  sequenceNotified,
} from './data/messaging.ts'

interface EventType {
  /** When it fires, in one clause. */
  fires: string
  scopes: readonly Scope[]
  data: TObject
  /** Set for types that are not in the contract's list. */
  isAdditive?: true
  /**
   * Set for types of which every message has one: they are written only for businesses that have a
   * webhook for them (`on-demand.ts`), so that they cost the others nothing.
   */
  isOnDemand?: true
  /** Settings of a business without which it is not recorded, or not of every message. */
  settings?: readonly TrackingSwitch[]
}

/** The switches of `business.save` that decide whether opens and clicks are recorded. */
export const trackingSwitches = ['track_opens', 'track_clicks', 'track_transactional'] as const
export type TrackingSwitch = (typeof trackingSwitches)[number]

const messaging = ['messaging:send'] as const

export const eventCatalog = {
  'form.submitted': {
    fires: 'a form submission completes',
    scopes: ['forms:read', 'audience:read'],
    data: formSubmitted,
  },
  'contact.created': {
    fires: 'a new contact is added to an audience',
    scopes: ['audience:read'],
    data: contactCreated,
  },
  'contact.updated': {
    fires: 'an existing contact is modified',
    scopes: ['audience:read'],
    data: contactUpdated,
  },
  'campaign.deployed': {
    fires: 'a campaign transitions to deployed',
    scopes: messaging,
    data: campaignDeployed,
  },
  'campaign.paused': { fires: 'a campaign is paused', scopes: messaging, data: campaignPaused },
  'campaign.resumed': {
    fires: 'a paused campaign resumes',
    scopes: messaging,
    data: campaignResumed,
  },
  'message.sent': {
    fires: 'a message is queued for delivery',
    scopes: messaging,
    data: messageSent,
  },
  'message.delivered': {
    fires: 'the provider confirms delivery',
    scopes: messaging,
    data: messageDelivered,
  },
  'message.bounced': { fires: 'a hard bounce', scopes: messaging, data: messageBounced },
  'message.opened': {
    fires: 'the recipient opened the message',
    scopes: messaging,
    data: messageOpened,
    settings: ['track_opens', 'track_transactional'],
  },
  'message.clicked': {
    fires: 'the recipient clicked a link',
    scopes: messaging,
    data: messageClicked,
    settings: ['track_clicks', 'track_transactional'],
  },
  'domain.verified': {
    fires: 'a sender domain finishes DKIM verification',
    scopes: ['provisioning:write'],
    data: domainVerified,
  },
  'usage.threshold': {
    fires: 'a monthly usage threshold (50 %, 80 % or 100 %) is crossed',
    scopes: ['meta:read'],
    data: usageThreshold,
  },
  'message.accepted': {
    fires: 'the relay or provider takes a message over, if a webhook of the business asks for it',
    scopes: messaging,
    data: messageAccepted,
    isAdditive: true,
    isOnDemand: true,
  },
  'message.deferred': {
    fires: 'a message is postponed for the first time',
    scopes: messaging,
    data: messageDeferred,
    isAdditive: true,
  },
  'message.failed': {
    fires: 'a message cannot be sent, without a hard bounce',
    scopes: messaging,
    data: messageFailed,
    isAdditive: true,
  },
  'message.suppressed': {
    fires: 'a message is not sent because its address was suppressed meanwhile',
    scopes: messaging,
    data: messageSuppressed,
    isAdditive: true,
  },
  'message.complained': {
    fires: 'the recipient calls a message spam',
    scopes: messaging,
    data: messageComplained,
    isAdditive: true,
  },
  'message.replied': {
    fires: 'a person answers a text',
    scopes: ['messaging:send', 'audience:read'],
    data: messageReplied,
    isAdditive: true,
  },
  'contact.unsubscribed': {
    fires: 'a contact leaves a channel or a topic',
    scopes: ['audience:read'],
    data: contactUnsubscribed,
    isAdditive: true,
  },
  'contact.resubscribed': {
    fires: 'a contact who had left a channel or a topic comes back',
    scopes: ['audience:read'],
    data: contactResubscribed,
    isAdditive: true,
  },
  'contact.erased': {
    fires: 'a contact is deleted for good',
    scopes: ['audience:read'],
    data: contactErased,
    isAdditive: true,
  },
  'contact.event': {
    fires: 'contact.track tells of something that a contact did',
    scopes: ['audience:read'],
    data: contactEvent,
    isAdditive: true,
  },
  'campaign.completed': {
    fires: 'the last message of a campaign has been tried',
    scopes: messaging,
    data: campaignCompleted,
    isAdditive: true,
  },
  'campaign.awaiting_approval': {
    fires: 'a campaign waits for a person to approve it',
    scopes: messaging,
    data: campaignAwaitingApproval,
    isAdditive: true,
  },
  'import.completed': {
    fires: 'the import of a file ends, well or not',
    scopes: ['audience:read'],
    data: importCompleted,
    isAdditive: true,
  },
  'domain.degraded': {
    fires: 'the DKIM record of a verified sender domain has been missing for a day',
    scopes: ['provisioning:write'],
    data: domainDegraded,
    isAdditive: true,
  },
  'campaign.provider_held': {
    fires:
      "one provider's share of a campaign waits, because it refuses the sender or people complain",
    scopes: messaging,
    data: campaignProviderHeld,
    isAdditive: true,
  },
  'sequence.entered': {
    fires: 'a person enters a sequence',
    scopes: ['audience:read', 'messaging:send'],
    data: sequenceEntered,
    isAdditive: true,
  },
  'sequence.finished': {
    fires: 'a person comes to the end of a sequence',
    scopes: ['audience:read', 'messaging:send'],
    data: sequenceFinished,
    isAdditive: true,
  },
  'sequence.left': {
    fires: 'a person leaves a sequence before its end',
    scopes: ['audience:read', 'messaging:send'],
    data: sequenceLeft,
    isAdditive: true,
  },
  'sequence.notified': {
    fires: 'a person comes to a step of a sequence that tells a webhook; only that one gets it',
    scopes: ['audience:read', 'messaging:send'],
    data: sequenceNotified,
    isAdditive: true,
  },
  'webhook.failing': {
    fires:
      'deliveries to a webhook have failed for an hour, or an event was given up; the others get it',
    scopes: ['provisioning:write'],
    data: webhookFailing,
    isAdditive: true,
  },
} as const satisfies Record<string, EventType>

export type EventTypeName = keyof typeof eventCatalog

/** The `data` of an event of the type. */
export type DataOf<T extends EventTypeName> = Static<(typeof eventCatalog)[T]['data']>

export const eventTypeNames = Object.keys(eventCatalog) as EventTypeName[]

/** `message.*` and the like: all types with that first word, also those that are added later. */
type GroupOf<T extends string> = T extends `${infer Noun}.${string}` ? `${Noun}.*` : never
export type EventGroup = GroupOf<EventTypeName>

/** What a webhook may name: types and groups of them. */
export type EventSelector = EventTypeName | EventGroup

export const groupOf = <T extends EventTypeName>(type: T): GroupOf<T> =>
  `${type.slice(0, type.indexOf('.'))}.*` as GroupOf<T>

export const eventGroups: readonly EventGroup[] = [...new Set(eventTypeNames.map(groupOf))]

export const eventSelectors: readonly EventSelector[] = [...eventTypeNames, ...eventGroups]

const typesByGroup: ReadonlyMap<string, readonly EventTypeName[]> = Map.groupBy(
  eventTypeNames,
  groupOf,
)

/** The types that these selectors stand for now, each once. */
export function typesOf(selectors: readonly EventSelector[]): EventTypeName[] {
  const all = selectors.flatMap((name) => typesByGroup.get(name) ?? (name as EventTypeName))
  return [...new Set(all)]
}

/** Whether data of the type can have this field. */
export function hasField(type: EventTypeName, field: string): boolean {
  return field in eventCatalog[type].data.properties
}

export const eventTypes: readonly ({ type: EventTypeName } & EventType)[] = eventTypeNames.map(
  (type) => ({ type, ...eventCatalog[type] }),
)

/** The types whose data a connection with these scopes may see. */
export function typesWithin(scopes: ReadonlySet<Scope>): EventTypeName[] {
  return eventTypeNames.filter((type) =>
    eventCatalog[type].scopes.every((scope: Scope) => scopes.has(scope)),
  )
}

/** The scopes still needed to see the data of these types, in the usual order of scopes. */
export function missingScopes(
  types: readonly EventTypeName[],
  scopes: ReadonlySet<Scope>,
): Scope[] {
  const needed = new Set<Scope>(types.flatMap((type) => eventCatalog[type].scopes))
  return everyScope.filter((scope) => needed.has(scope) && !scopes.has(scope))
}
