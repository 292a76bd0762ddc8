/** Gates about recipients: whether anybody consented, and whether the tier allows all of them. */

import type { Counted } from '../../audience/count.ts'
import type { CampaignChannel } from '../../model/campaign.ts'
import type { Gate } from './gate.ts'

export function consentGate(channel: CampaignChannel, { recipients, excluded }: Counted): Gate {
  const gate = 'consent'
  const quota = excluded.find(({ reason }) => reason === 'tier_quota')?.count ?? 0
  const everybody = excluded.reduce((sum, { count }) => sum + count, recipients)
  if (recipients + quota > 0) {
    const evidence = `${recipients + quota} of ${everybody} agreed to ${channel} and can be written to.`
    return { gate, result: 'pass', evidence }
  }
  return {
    gate,
    result: 'block',
    evidence: `None of the ${everybody} in the audience agreed to ${channel} and can be written to.`,
    remedy:
      'Record consent that people gave with contact.upsert, or change the audience with campaign.save.',
    fix: { tool: 'contact.list', arguments: { [`${channel}_consent`]: 'subscribed' } },
  }
}

export function quotaGate({ recipients, excluded }: Counted): Gate {
  const gate = 'quota'
  const out = excluded.find(({ reason }) => reason === 'tier_quota')?.count ?? 0
  if (out === 0) return { gate, result: 'pass', evidence: 'The tier has room for all of them.' }
  return {
    gate,
    result: recipients === 0 ? 'block' : 'warn',
    evidence: `The tier has no room this month for ${out} of ${out + recipients}: they get nothing.`,
    remedy: 'Wait for the next month, narrow the audience, or have the tier raised.',
    fix: { tool: 'meta.usage', arguments: {} },
  }
}
