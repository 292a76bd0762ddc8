/** The gates of a campaign, by its channel. */
import type { DeploySettings } from '../../../accounts/businesses/business.ts'
import { isRefusal, type Refusal } from '../../../core/errors.ts'
import type { Reach } from '../../../core/operation.ts'
import type { TextSender } from '../../../messages/model/dependencies.ts'
import type { Sender } from '../../../sender-domains/senders/senders.ts'
import type { Counted } from '../../audience/count.ts'
import type { Campaign } from '../../model/campaign.ts'
import type { PlanDeps } from '../dependencies.ts'
import type { RenderedCampaign } from '../rendered.ts'
import { audienceGate } from './audience.ts'
import {
  accessibilityGate,
  contentGate,
  type MissingVariables,
  sizeGate,
  subjectGate,
  variablesGate,
} from './content.ts'
import type { Gate } from './gate.ts'
import { linksGate } from './links.ts'
import { consentGate, quotaGate } from './people.ts'
import { postalGate, senderGate } from './sender.ts'
import { segmentsGate, stopGate } from './text.ts'
import { unsubscribeGate } from './unsubscribe.ts'

export interface GateInput {
  campaign: Campaign
  /** The refusal if something that its audience uses no longer exists. */
  unknown: Refusal | undefined
  business: Pick<Reach, 'id'>
  deploying: DeploySettings
  sender: Sender | TextSender | Refusal
  said: RenderedCampaign
  counted: Counted
  lacking: MissingVariables
  asksLinks: boolean
}

export async function evaluateGates(deps: PlanDeps, looked: GateInput): Promise<Gate[]> {
  const { campaign, unknown, business, deploying, sender, said, counted, lacking, asksLinks } =
    looked
  const { channel } = campaign
  const { previews } = said
  const content = await contentGate(previews)
  const links = asksLinks
    ? await linksGate(deps.checkLinks, business.id, { previews, own: deps.templates.testUrl })
    : undefined
  const own =
    channel === 'email'
      ? [
          senderGate(sender),
          await unsubscribeGate(deps.unsubscribeCheck, previews, hostOf(sender)),
          postalGate(deploying),
          sizeGate(previews),
          await accessibilityGate(previews),
          subjectGate(previews),
        ]
      : [senderGate(sender), stopGate(previews), segmentsGate(previews)]
  const chosen = audienceGate(campaign, unknown)
  return [
    ...(chosen ? [chosen] : []),
    ...own,
    consentGate(channel, counted),
    quotaGate(counted),
    content,
    variablesGate(lacking),
    ...(links ? [links] : []),
  ]
}

/** The sender domain's own host name for links. */
function hostOf(sender: GateInput['sender']): string | undefined {
  return !isRefusal(sender) && 'trackingHost' in sender ? sender.trackingHost : undefined
}
