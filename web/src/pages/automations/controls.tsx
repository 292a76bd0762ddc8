/** Start, pause, resume, stop, copy and delete: shown as long as the state and the role allow them. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { nameOfCopy } from '../../parts/name-of-copy.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { automationWords } from '../../words/automations.ts'
import { words } from '../../words/words.ts'
import type { WholeAutomation } from './model.ts'

interface ControlsProps {
  automation: WholeAutomation
  /** Leads to the check; absent where that is shown. */
  onStart?: () => void
}

/** The numbers that the name of a copy may have. */
const mostCopies = 20

/** With the first name of a copy that is free. */
async function copyOf(of: { business_id: string; sequence_id: string }, name: string, number = 1) {
  try {
    return await api.sequence.copy({ ...of, name: nameOfCopy(name, 100, number) })
  } catch (error) {
    const isTaken = error instanceof CrierError && error.data['reason'] === 'name_taken'
    if (!isTaken || number === mostCopies) throw error
    return copyOf(of, name, number + 1)
  }
}

export function Controls({ automation, onStart }: ControlsProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [mayEdit, mayStart] = [useMay('editor'), useMay('admin')]
  const [question, ask] = useState<'stop' | 'delete'>()
  const { sequence_id, status, start_waits, possible } = automation
  const w = automationWords
  const key = ['sequence.get', business_id, sequence_id]
  // The service names tools as assistants call them, such as svc.v1.sequence.pause.
  const can = (act: string) => possible.some((tool) => tool.endsWith(`sequence.${act}`))
  const done = { pause: w.nowPaused, resume: w.nowRunning, stop: w.nowStopped }
  const work = useMutation({
    mutationFn: (act: keyof typeof done) => api.sequence[act]({ business_id, sequence_id }),
    onSuccess: (_answer, act) => tell(done[act], { about: sequence_id }),
    onError: (error) => tellFailure(w.failed, problemOf(error).message),
    onSettled: () => {
      ask(undefined)
      return client.invalidateQueries({ queryKey: key })
    },
  })
  const copy = useMutation({
    mutationFn: () => copyOf({ business_id, sequence_id }, automation.name),
    onSuccess: (made) => {
      tell(w.copied)
      return navigate({
        to: '/$business/automations/$automation',
        params: { business: business_id, automation: made.sequence_id },
        search: { tab: 'edit' },
      })
    },
    onError: (error) => tellFailure(w.failed, problemOf(error).message),
  })
  const remove = useMutation({
    mutationFn: () => api.sequence.delete({ business_id, sequence_id }),
    onSuccess: async () => {
      tell(w.deleted)
      await navigate({ to: '/$business/automations', params: { business: business_id } })
      client.removeQueries({ queryKey: key })
    },
    onError: (error) => {
      ask(undefined)
      tellFailure(w.failed, problemOf(error).message)
    },
  })
  if (!mayEdit) return null
  const isStarted = status === 'running' || status === 'paused'
  const isChanged = isStarted && automation.running_version !== automation.version
  // It goes on once a person has seen which sender its mails would come from.
  const isOfAnotherSender = status === 'paused' && automation.pause_reason === 'sender'
  const isWaiting = status === 'awaiting_approval' || start_waits
  return (
    <>
      {status === 'running' && (
        <Button icon="pause" busy={work.isPending} onClick={() => work.mutate('pause')}>
          {w.pause}
        </Button>
      )}
      {status === 'paused' && mayStart && !isOfAnotherSender && (
        <Button
          look={isChanged ? 'plain' : 'main'}
          icon="play"
          busy={work.isPending}
          onClick={() => work.mutate('resume')}
        >
          {w.resume}
        </Button>
      )}
      {onStart && isWaiting && (
        <Button look="main" onClick={onStart}>
          {w.decide}
        </Button>
      )}
      {onStart && !isWaiting && mayStart && (!isStarted || isChanged || isOfAnotherSender) && (
        <Button look="main" icon="play" onClick={onStart}>
          {isChanged ? w.startVersion : w.start}
        </Button>
      )}
      <Menu align="end" trigger={<IconButton icon="dots" label={words.more} />}>
        <MenuItem icon="copy" onClick={() => copy.mutate()}>
          {w.copy}
        </MenuItem>
        {mayStart && isStarted && (
          <>
            <MenuLine />
            <MenuItem icon="close" danger onClick={() => ask('stop')}>
              {w.stop}
            </MenuItem>
          </>
        )}
        {can('delete') && (
          <>
            <MenuLine />
            <MenuItem icon="close" danger onClick={() => ask('delete')}>
              {w.delete}
            </MenuItem>
          </>
        )}
      </Menu>
      <Dialog
        open={question === 'stop'}
        onClose={() => ask(undefined)}
        title={w.stopTitle}
        description={w.stopText}
      >
        <DialogActions>
          <Button onClick={() => ask(undefined)}>{words.cancel}</Button>
          <Button look="danger" busy={work.isPending} onClick={() => work.mutate('stop')}>
            {w.stop}
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog
        open={question === 'delete'}
        onClose={() => ask(undefined)}
        title={w.deleteTitle}
        description={w.deleteText}
      >
        <DialogActions>
          <Button onClick={() => ask(undefined)}>{words.cancel}</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {w.delete}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
