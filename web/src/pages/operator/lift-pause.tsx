/** Ends the pause of a stream early, after a warning. */
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { providerName } from '../../parts/provider-name.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { operatorWords } from '../../words/operator.ts'
import { ago, words } from '../../words/words.ts'
import type { PausedStream } from './mail.tsx'

export function LiftPause({ one, onClose }: { one: PausedStream; onClose: () => void }) {
  const { mail } = operatorWords
  const { relay, domain, kind, provider, until } = one
  const work = useMutation({
    mutationFn: () =>
      api.operator.lift_pause({
        relay,
        domain,
        kind: kind === 'marketing' ? 'marketing' : 'transactional',
        provider,
      }),
    onSuccess: ({ messages }) => {
      tell(mail.lifted(messages))
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={mail.liftTitle(providerName(provider) ?? provider)}
      description={mail.liftText(domain, ago(until))}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {mail.lift}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
