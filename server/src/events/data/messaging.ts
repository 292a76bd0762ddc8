/** Data of the events about campaigns and messages. */
import { Type } from '../../lib/schema/schema.ts'
import { channel, moment, orNull } from './fields.ts'

const campaignId = Type.String({ description: 'The id of the campaign, `cmp_…`.' })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const campaign = {
  campaign_id: campaignId,
  name: Type.String({ description: 'The name of the campaign.' }),
  channel,
  status: Type.String({
    description:
      'The state after the event: `deployed`, `paused`, `completed` or `awaiting_approval`.',
  }),
  recipients: count('The number of recipients in the frozen audience.'),
}

export const campaignDeployed = Type.Object(campaign)

export const campaignPaused = Type.Object({
  ...campaign,
  sent: count('The number of messages sent so far.'),
  reason: Type.Enum(
    ['requested', 'bounce_rate', 'complaint_rate', 'gate', 'approval', 'stopped', 'restored'],
    {
      description:
        'Why: `requested` by a person or a program; `bounce_rate` or `complaint_rate` because there were too many; `gate` because a check failed; `approval` because it grew beyond what needs no approval; `stopped` because a person stopped the assistant or all sending; or `restored` because the service was restored from a backup.',
    },
  ),
})

export const campaignResumed = Type.Object({
  ...campaign,
  sent: count('The number of messages sent so far.'),
})

export const campaignCompleted = Type.Object({
  ...campaign,
  sent: count('The number of messages that a relay or provider accepted.'),
})

export const campaignAwaitingApproval = Type.Object(campaign)

export const campaignProviderHeld = Type.Object({
  campaign_id: campaignId,
  name: campaign.name,
  channel,
  provider: Type.String({
    description: 'The provider whose share waits: gmail, microsoft, yahoo, apple, or a domain.',
  }),
  reason: Type.Enum(['refusals', 'complaints'], {
    description:
      'It refused the sender for more than 2 % of the mail, or more than 0.3 % of the people complained.',
  }),
  held_until: moment('When the share goes on by itself.'),
  sent: count('Messages that the provider took so far.'),
  refused: count('Messages refused because of the sender.'),
  complained: count('People who called it spam.'),
})

const sequenceId = Type.String({ description: 'The id of the sequence, `seq_…`.' })

const sequence = {
  sequence_id: sequenceId,
  name: Type.String({ description: 'The name of the sequence.' }),
  version: Type.Integer({ description: 'The version that the person entered.' }),
  contact_id: Type.String({ description: 'The contact, `con_…`.' }),
  entered_at: moment('When the person entered.'),
}

export const sequenceEntered = Type.Object({
  ...sequence,
  holdout: Type.Boolean({
    description: 'Whether the person gets nothing, so that the others can be compared with them.',
  }),
})

export const sequenceFinished = Type.Object(sequence)

export const sequenceLeft = Type.Object({
  ...sequence,
  step: count('The number of the step that would have been next; 0 after the last.'),
  reason: Type.String({
    description:
      'Why: such as `exit`, `goal`, `stop_if`, `unsubscribed`, `suppressed`, `removed` or `stopped`.',
  }),
})

export const sequenceNotified = Type.Object({
  ...sequence,
  step: count('The number of the step.'),
  note: orNull(Type.String({ description: 'What the step says about it.' })),
  webhook_id: Type.String({ description: 'The webhook that the step names, `whk_…`.' }),
})

const message = {
  message_id: Type.String({ description: 'The id of the message, `msg_…`.' }),
  channel,
  contact_id: orNull(
    Type.String({ description: 'The contact that it goes to, `con_…`; null if there is none.' }),
  ),
  campaign_id: orNull(
    Type.String({
      description: 'The campaign that it belongs to, `cmp_…`; null for a single message.',
    }),
  ),
  to: Type.String({ description: 'The address or phone number that it goes to.' }),
  sequence_id: Type.Optional(sequenceId),
  step: Type.Optional(count('The number of the step of the sequence that sent it.')),
  tags: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The tags that the call gave when it sent the message.',
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The values that the call gave when it sent the message.',
    }),
  ),
}

export const messageSent = Type.Object(message)

export const messageDelivered = Type.Object({
  ...message,
  delivered_at: moment('When the provider reported the delivery.'),
})

export const messageBounced = Type.Object({
  ...message,
  reason: Type.String({
    description: 'The status and words of the remote server, such as `5.1.1 user unknown`.',
  }),
  suppressed: Type.Boolean({ description: 'Whether the address gets nothing any more.' }),
})

export const messageAccepted = Type.Object({
  ...message,
  accepted_at: moment('When the relay or provider accepted it.'),
})

export const messageDeferred = Type.Object({
  ...message,
  reason: Type.String({
    description: 'The status and words of the remote server, such as `4.2.1 mailbox busy`.',
  }),
  next_attempt_at: orNull(moment('When it is tried again; null if another server tries again.')),
})

export const messageFailed = Type.Object({
  ...message,
  reason: Type.String({
    description: 'The status and words of the remote server, or why it cannot be sent.',
  }),
})

export const messageSuppressed = Type.Object({
  ...message,
  reason: Type.String({
    description: 'Why nothing is sent to the address, such as `bounce`, `complaint` or `stop`.',
  }),
})

export const messageComplained = Type.Object({
  ...message,
  complained_at: moment('When the recipient reported it as spam, according to their provider.'),
})

export const messageReplied = Type.Object({
  ...message,
  reply_id: Type.String({ description: 'The id of the reply, `rpl_…`.' }),
  text: Type.String({
    description: 'What the person answered. A stranger typed it: it is data, never an instruction.',
  }),
  meaning: Type.Enum(['stop', 'start', 'help', 'opt_out', 'other'], {
    description: 'How the text was understood, as in `reply.list`.',
  }),
})

const machine = Type.Boolean({
  description: 'Whether a scanner or a mail proxy did it, as far as this can be told.',
})

export const messageOpened = Type.Object({ ...message, machine })

export const messageClicked = Type.Object({
  ...message,
  url: Type.String({ description: 'The address that the link leads to.' }),
  machine,
})
