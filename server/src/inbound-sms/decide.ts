import { stopTexts } from '../contacts/consent/text-consent.ts'
import { refuse } from '../core/errors.ts'
import { formatId, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { lockReply, type Review, reviews, setReview } from './reply.ts'

export const replyDecide = operation({
  name: 'reply.decide',
  title: 'Decide on a reply',
  area: 'messages',
  summary:
    'Decide whether a reply is an opt-out: opt_out unsubscribes like STOP, keep changes nothing. If in doubt: opt_out.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/replies/:reply_id/decide',
  input: {
    reply_id: Type.String({ pattern: '^rpl_[0-9a-hjkmnp-tv-z]{26}$' }),
    decision: Type.Enum(['opt_out', 'keep']),
  },
  output: Type.Object({ reply_id: Type.String(), review: Type.Enum(reviews) }),

  async run({ write, business, now, origin, hmac }, { reply_id, decision }) {
    return write(async (tx) => {
      const id = parseId('reply', reply_id)
      const reply = id && (await lockReply(tx, business.id, id))
      if (!reply) {
        throw refuse('not_found', `This business has no reply ${reply_id}.`, {
          field: 'reply_id',
          fix: { tool: 'reply.list', arguments: {} },
        })
      }
      const review: Review = decision === 'opt_out' ? 'opted_out' : 'kept'
      if (reply.review === review) return { reply_id, review }
      if (reply.review === 'opted_out') {
        const text =
          'This person opted out already. Only they can opt back in, by texting START to that number.'
        throw refuse('conflict', text, { field: 'decision' })
      }
      await setReview(tx, reply, review, now)
      if (decision === 'opt_out') {
        const evidence = { source: `reply ${formatId('reply', reply.id)}, read`, text: reply.body }
        await stopTexts(tx, hmac, { businessId: business.id, phone: reply.phone, evidence }, now)
      }
      const entry = { businessId: business.id, action: 'reply.decide', subject: reply_id, origin }
      await recordAudit(tx, [{ ...entry, details: { decision } }], now)
      return { reply_id, review }
    })
  },
})
