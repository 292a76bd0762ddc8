/** What can be done with a campaign in each of its states, and the refusal if it cannot. */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Campaign, type CampaignState, campaignStates } from './campaign.ts'

/** By action, the states in which it is allowed; unscheduling has a further condition. */
const allowed = {
  save: ['draft'],
  preview: ['draft', 'scheduled', 'awaiting_approval'],
  test: ['draft', 'scheduled', 'awaiting_approval'],
  deploy: ['draft', 'scheduled'],
  approve: ['awaiting_approval'],
  unschedule: ['scheduled', 'awaiting_approval', 'paused'],
  pause: ['deployed'],
  resume: ['paused'],
  resend: ['deployed', 'paused', 'completed'],
  copy: campaignStates,
  cancel: ['draft', 'scheduled', 'awaiting_approval', 'deployed', 'paused'],
} as const satisfies Record<string, readonly CampaignState[]>

export type CampaignAction = keyof typeof allowed

export const actions = Object.keys(allowed) as CampaignAction[]

/** Actions that a person performs in the app, never a tool. */
const byPerson: readonly CampaignAction[] = ['approve']

const verbs: Record<CampaignAction, string> = {
  save: 'changed',
  preview: 'planned anew',
  test: 'tested',
  deploy: 'deployed',
  approve: 'approved',
  unschedule: 'taken back',
  pause: 'paused',
  resume: 'resumed',
  resend: 'sent again',
  copy: 'copied',
  cancel: 'cancelled',
}

type Standing = Pick<Campaign, 'state' | 'isUnderWay'>

function isAllowed(action: CampaignAction, { state, isUnderWay }: Standing): boolean {
  const states: readonly CampaignState[] = allowed[action]
  // What has gone out to the first recipient cannot be taken back.
  return states.includes(state) && !(action === 'unschedule' && isUnderWay)
}

/** The operations that are possible with the campaign as it is. */
export function possibleIn(campaign: Standing): string[] {
  return actions
    .filter((action) => isAllowed(action, campaign) && !byPerson.includes(action))
    .map((action) => `campaign.${action}`)
}

/**
 * The refusal, which names the state and what is possible instead; undefined if the action is
 * allowed.
 */
export function refusedIn(
  action: CampaignAction,
  campaign: Standing & { id: Id<'campaign'> },
): Refusal | undefined {
  if (isAllowed(action, campaign)) return undefined
  const { state, isUnderWay } = campaign
  const possible = possibleIn(campaign)
  const states: readonly CampaignState[] = allowed[action]
  const why = states.includes(state)
    ? 'its first recipients got it already'
    : `only ${spelt(states.join(', '))} ones can`
  const under = isUnderWay && state === 'paused' ? ' under way' : ''
  const text = `The campaign is ${spelt(state)}${under} and cannot be ${verbs[action]}: ${why}. Possible now: ${possible.join(', ')}.`
  return refuse('conflict', text, {
    data: { reason: 'not_in_this_state', status: state, possible },
    fix: {
      tool: `campaign.${fixOf(action, campaign)}`,
      arguments: { campaign_id: formatId('campaign', campaign.id) },
    },
  })
}

/** Throws the refusal if the action is not allowed. */
export function checkAllowed(
  action: CampaignAction,
  campaign: Standing & { id: Id<'campaign'> },
): void {
  const refused = refusedIn(action, campaign)
  if (refused) throw refused
}

/** What leads to a draft where only a draft will do; otherwise the caller looks at it first. */
function fixOf(action: CampaignAction, campaign: Standing): 'get' | 'copy' | 'unschedule' {
  if (action !== 'save' && action !== 'unschedule') return 'get'
  return isAllowed('unschedule', campaign) ? 'unschedule' : 'copy'
}

const spelt = (words: string) => words.replaceAll('_', ' ')

const openStates = ['scheduled', 'awaiting_approval', 'deployed', 'paused'] as const

/** By state, with 0 for a state that no campaign has. */
export async function openCampaigns(db: Db): Promise<Record<string, number>> {
  const rows = await db.all<{ state: string; campaigns: number }>(sql`
    select state, count(*)::int as campaigns from campaigns
    where state in ('scheduled', 'awaiting_approval', 'deployed', 'paused')
    group by state
  `)
  const counts = new Map(rows.map(({ state, campaigns }) => [state, campaigns]))
  return Object.fromEntries(openStates.map((state) => [state, counts.get(state) ?? 0]))
}
