import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { fieldsOf, listTopics, topicFields } from './topic.ts'

export const topicList = operation({
  name: 'topic.list',
  title: 'List topics',
  area: 'contacts',
  everyday: true,
  summary: 'The topics that people may choose or leave; archived ones too. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/topics',
  input: {},
  output: Type.Object({ topics: Type.Array(Type.Object(topicFields)) }),

  async run({ db, business }) {
    return { topics: (await listTopics(db, business.id)).map(fieldsOf) }
  },
})
