import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { type ContactToSave, channels } from '../contact.ts'
import { isArchived, noSuchTopic } from '../model/topic.ts'
import { findTopics } from '../model/topic-queries.ts'

interface NamedTopic {
  key: string
  /** The path of the topic in the call. */
  field: string
  isWanted: boolean
}

/** Finds people who name a topic that does not exist, or join one that is archived. */
export async function unknownTopicsAmong<Asked extends { item: ContactToSave }>(
  tx: Tx,
  asked: readonly Asked[],
): Promise<ReadonlyMap<Asked, Refusal>> {
  const refused = new Map<Asked, Refusal>()
  const naming: { one: Asked; named: readonly NamedTopic[] }[] = []
  for (const one of asked) {
    const named = namedIn(one.item)
    if (named.length > 0) naming.push({ one, named })
  }
  if (naming.length === 0) return refused
  const byBusiness = Map.groupBy(naming, ({ one }) => one.item.businessId)
  for (const [businessId, all] of byBusiness) {
    const known = await knownTopics(
      tx,
      businessId,
      all.flatMap(({ named }) => named),
    )
    for (const { one, named } of all) {
      const wrong = named.find(({ key, isWanted }) => {
        const topic = known.get(key)
        return !topic || (topic.isArchived && isWanted)
      })
      if (wrong) refused.set(one, refusalOf(wrong, known.has(wrong.key)))
    }
  }
  return refused
}

async function knownTopics(tx: Tx, businessId: Id<'business'>, named: readonly NamedTopic[]) {
  const keys = [...new Set(named.map(({ key }) => key))]
  const found = await findTopics(tx, businessId, keys)
  return new Map(found.map((topic) => [topic.key, topic]))
}

function refusalOf({ key, field }: NamedTopic, isKnown: boolean): Refusal {
  return isKnown ? isArchived(key, field) : noSuchTopic(key, field)
}

const nothingNamed: readonly NamedTopic[] = []

function namedIn({ consent }: ContactToSave): readonly NamedTopic[] {
  if (!consent?.email?.topics && !consent?.sms?.topics) return nothingNamed
  return channels.flatMap((channel) => {
    const { topics = [], status } = consent[channel] ?? {}
    return topics.map((key, n) => ({
      key,
      field: `consent.${channel}.topics[${n}]`,
      isWanted: status !== 'unsubscribed',
    }))
  })
}
