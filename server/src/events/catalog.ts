/**
 * The closed list of event types (contract, "Planned event types"), and our own after them.
 * The scopes are those whose data an event shows: a feed or a webhook gives it only to a
 * connection that holds them all.
 */

import { scopes as everyScope, type Scope } from '../core/operation.ts'
import type { Static, TObject } from '../lib/schema/schema.ts'
import { domainVerified, usageThreshold } from './data/account.ts'
import { contactCreated, contactEvent, contactUpdated, formSubmitted } from './data/audience.ts'
import {
  campaignDeployed,
  campaignPaused,
  campaignResumed,
  messageBounced,
  messageClicked,
  messageDelivered,
  messageOpened,
  messageSent,
} from './data/messaging.ts'

interface EventType {
  /** When it fires, in one clause. */
  fires: string
  scopes: readonly Scope[]
  data: TObject
  /** Not of the contract's list. */
  isAdditive?: true
}

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
  },
  'message.clicked': {
    fires: 'the recipient clicked a link',
    scopes: messaging,
    data: messageClicked,
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
  'contact.event': {
    fires: 'contact.track tells of something that a contact did',
    scopes: ['audience:read'],
    data: contactEvent,
    isAdditive: true,
  },
} as const satisfies Record<string, EventType>

export type EventTypeName = keyof typeof eventCatalog

/** What an event of the type carries as `data`. */
export type DataOf<T extends EventTypeName> = Static<(typeof eventCatalog)[T]['data']>

export const eventTypeNames = Object.keys(eventCatalog) as EventTypeName[]

export const eventTypes: readonly ({ type: EventTypeName } & EventType)[] = eventTypeNames.map(
  (type) => ({ type, ...eventCatalog[type] }),
)

/** The types whose data a connection with these scopes may see. */
export function typesWithin(scopes: ReadonlySet<Scope>): EventTypeName[] {
  return eventTypeNames.filter((type) =>
    eventCatalog[type].scopes.every((scope: Scope) => scopes.has(scope)),
  )
}

/** What is missing of the scopes that cover the data of these types, in their usual order. */
export function missingScopes(
  types: readonly EventTypeName[],
  scopes: ReadonlySet<Scope>,
): Scope[] {
  const needed = new Set<Scope>(types.flatMap((type) => eventCatalog[type].scopes))
  return everyScope.filter((scope) => needed.has(scope) && !scopes.has(scope))
}
