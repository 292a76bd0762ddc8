import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { plannedAnew, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { fieldsOf, listTopics, topicFields } from './topic.ts'

const counted = { email: Type.Integer(), sms: Type.Integer() }

export const topicList = operation({
  name: 'topic.list',
  title: 'List topics',
  area: 'contacts',
  everyday: true,
  summary: 'Topics to choose or leave, archived too; counts: how many.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/topics',
  input: { counts: Type.Optional(Type.Boolean()) },
  output: Type.Object({
    topics: Type.Array(
      Type.Object({
        ...topicFields,
        chosen_by: Type.Optional(Type.Object(counted)),
        left_by: Type.Optional(Type.Object(counted)),
      }),
    ),
  }),

  async run({ db, business }, { counts = false }) {
    const topics = await listTopics(db, business.id)
    if (!counts) return { topics: topics.map(fieldsOf) }
    const rows = await countChoices(db, business.id)
    const countOf = (topic: string, status: string) => {
      const of = (channel: string) =>
        rows.find((row) => row.topic === topic && row.channel === channel && row.status === status)
          ?.count ?? 0
      return { email: of('email'), sms: of('sms') }
    }
    return {
      topics: topics.map((topic) => ({
        ...fieldsOf(topic),
        chosen_by: countOf(topic.key, 'subscribed'),
        left_by: countOf(topic.key, 'unsubscribed'),
      })),
    }
  },
})

interface ChoiceCount {
  channel: string
  topic: string
  status: string
  count: number
}

/** One scan of the contacts that chose or left a topic. A choice counts while its channel is subscribed. */
function countChoices(db: Db, businessId: Id<'business'>): Promise<ChoiceCount[]> {
  return db.all(
    plannedAnew(sql`
      select channel.key as channel, choice.key as topic, choice.value as status,
        count(*)::int as count
      from contacts c, jsonb_each(c.topics) channel, jsonb_each_text(channel.value) choice
      where c.business_id = ${businessId} and c.topics <> '{}'
        and (choice.value <> 'subscribed'
          or (channel.key = 'email' and c.email_consent = 'subscribed')
          or (channel.key = 'sms' and c.sms_consent = 'subscribed'))
      group by channel.key, choice.key, choice.value
    `),
  )
}
