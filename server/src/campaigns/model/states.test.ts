import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../core/ids.ts'
import { type CampaignState, campaignStates } from './campaign.ts'
import { actions, type CampaignAction, possibleIn, refusedIn } from './states.ts'

/** By hand from the design: what each state is open to. */
const open: Record<CampaignState, CampaignAction[]> = {
  draft: ['save', 'preview', 'test', 'deploy', 'cancel'],
  scheduled: ['preview', 'test', 'cancel'],
  awaiting_approval: ['preview', 'test', 'approve', 'cancel'],
  deployed: ['pause', 'resend', 'cancel'],
  paused: ['resume', 'resend', 'cancel'],
  completed: ['resend'],
  cancelled: [],
}

test('every action in every state is done, or refused with the state and what is possible', () => {
  const id = newId('campaign')
  for (const state of campaignStates) {
    for (const action of actions) {
      const refused = refusedIn(action, { id, state })
      if (open[state].includes(action)) {
        assert.equal(refused, undefined, `${action} of a ${state} campaign`)
        continue
      }
      assert.ok(refused, `${action} of a ${state} campaign`)
      assert.equal(refused.code, 'conflict')
      assert.match(refused.message, new RegExp(`is ${state.replace('_', ' ')} `))
      assert.deepEqual(refused.details.data, { status: state, possible: possibleIn(state) })
      for (const operation of possibleIn(state)) assert.ok(refused.message.includes(operation))
    }
  }
})

test('what only a person does in the app is never told as an operation', () => {
  for (const state of campaignStates) {
    assert.ok(!possibleIn(state).includes('campaign.approve'))
  }
})
