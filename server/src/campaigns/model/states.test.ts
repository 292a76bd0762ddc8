import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../core/ids.ts'
import { type CampaignState, campaignStates } from './campaign.ts'
import { actions, type CampaignAction, possibleIn, refusedIn } from './states.ts'

/** The actions that each state allows, written by hand from the design. */
const open: Record<CampaignState, CampaignAction[]> = {
  draft: ['save', 'preview', 'test', 'deploy', 'cancel'],
  scheduled: ['preview', 'test', 'cancel'],
  awaiting_approval: ['preview', 'test', 'approve', 'cancel'],
  deployed: ['pause', 'resend', 'cancel'],
  paused: ['resume', 'resend', 'cancel'],
  completed: ['resend'],
  cancelled: [],
}

test('each action in each state is allowed, or refused with the state and the possible actions', () => {
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

test('an approval, which only a person can give in the app, is never listed as an operation', () => {
  for (const state of campaignStates) {
    assert.ok(!possibleIn(state).includes('campaign.approve'))
  }
})
