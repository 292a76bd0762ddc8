/** Data of the events about campaigns and messages. */
import { Type } from '../../lib/schema/schema.ts'
import { channel, moment, orNull } from './fields.ts'

const campaignId = Type.String({ description: 'The campaign, cmp_….' })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const campaign = {
  campaign_id: campaignId,
  name: Type.String({ description: 'Name of the campaign.' }),
  channel,
  status: Type.String({ description: 'State after the event: deployed or paused.' }),
  recipients: count('People in the frozen audience.'),
}

export const campaignDeployed = Type.Object(campaign)

export const campaignPaused = Type.Object({
  ...campaign,
  sent: count('Messages sent so far.'),
  reason: Type.Enum(
    ['requested', 'bounce_rate', 'complaint_rate', 'gate', 'approval', 'restored'],
    {
      description:
        'A person or program asked; too many bounces or complaints paused it; a gate closed; it outgrew what may go out unapproved; or the service came back from a backup.',
    },
  ),
})

export const campaignResumed = Type.Object({ ...campaign, sent: count('Messages sent so far.') })

const message = {
  message_id: Type.String({ description: 'The message, msg_….' }),
  channel,
  contact_id: orNull(Type.String({ description: 'The contact it goes to, con_…; null for none.' })),
  campaign_id: orNull(
    Type.String({ description: 'The campaign it is part of, cmp_…; null for a single message.' }),
  ),
  to: Type.String({ description: 'Address or number it goes to.' }),
  tags: Type.Optional(
    Type.Array(Type.String(), { description: 'As the call that sent it gave them.' }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'As the call that sent it gave it.',
    }),
  ),
}

export const messageSent = Type.Object(message)

export const messageDelivered = Type.Object({
  ...message,
  delivered_at: moment('When the provider said it was delivered.'),
})

export const messageBounced = Type.Object({
  ...message,
  reason: Type.String({
    description: "The receiving side's status and words, such as 5.1.1 user unknown.",
  }),
  suppressed: Type.Boolean({ description: 'Whether the address will get nothing more.' }),
})

const machine = Type.Boolean({
  description: 'Whether a scanner or a mail proxy did it, as far as can be told.',
})

export const messageOpened = Type.Object({ ...message, machine })

export const messageClicked = Type.Object({
  ...message,
  url: Type.String({ description: 'Where the link leads.' }),
  machine,
})
