/** What can be done with a campaign in each of its states, and the refusal if it cannot. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { type CampaignState, campaignStates } from './campaign.ts'

/** By action, the states in which it is allowed. */
const allowed = {
  save: ['draft'],
  preview: ['draft', 'scheduled', 'awaiting_approval'],
  test: ['draft', 'scheduled', 'awaiting_approval'],
  deploy: ['draft'],
  approve: ['awaiting_approval'],
  pause: ['deployed'],
  resume: ['paused'],
  resend: ['deployed', 'paused', 'completed'],
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
  pause: 'paused',
  resume: 'resumed',
  resend: 'sent again',
  cancel: 'cancelled',
}

export function isAllowed(action: CampaignAction, state: CampaignState): boolean {
  const states: readonly CampaignState[] = allowed[action]
  return states.includes(state)
}

/** The operations that a state allows. */
export function possibleIn(state: CampaignState): string[] {
  return actions
    .filter((action) => isAllowed(action, state) && !byPerson.includes(action))
    .map((action) => `campaign.${action}`)
}

/**
 * The refusal, which names the state and what is possible instead; undefined if the action is
 * allowed.
 */
export function refusedIn(
  action: CampaignAction,
  { id, state }: { id: Id<'campaign'>; state: CampaignState },
): Refusal | undefined {
  if (isAllowed(action, state)) return undefined
  const possible = possibleIn(state)
  const now =
    possible.length === 0
      ? 'Nothing can be done with it any more but look at it.'
      : `Possible now: ${possible.join(', ')}.`
  const when = campaignStates.filter((campaignState) => isAllowed(action, campaignState)).join(', ')
  const text = `The campaign is ${spelt(state)} and cannot be ${verbs[action]}: only ${spelt(when)} ones can. ${now}`
  return refuse('conflict', text, {
    data: { status: state, possible },
    fix: { tool: 'campaign.get', arguments: { campaign_id: formatId('campaign', id) } },
  })
}

const spelt = (words: string) => words.replaceAll('_', ' ')
