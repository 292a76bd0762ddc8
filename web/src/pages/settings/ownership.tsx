/** A business goes to another owner: the offer, and the answer of the member. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { ownershipWords } from '../../words/factors.ts'
import { words } from '../../words/words.ts'
import type { Member } from './members.tsx'

/** For the two people whom an offer concerns. */
export function OwnershipOffer() {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['ownership.get', business_id],
    queryFn: ({ signal }) => api.ownership.get({ business_id }, { signal }),
  })
  const work = useMutation({
    mutationFn: (accept: boolean) => api.ownership.answer({ business_id, accept }),
    onSuccess: ({ accepted }) => tell(accepted ? ownershipWords.accepted : ownershipWords.ended),
  })
  const offer = data?.offer ?? null
  if (offer === null) return null
  const { is_to_you, from, to } = offer
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-3" role="status">
        <p className="min-w-0 flex-1">
          {is_to_you ? ownershipWords.toYou(from) : ownershipWords.byYou(to)}
        </p>
        <Button busy={work.isPending && !work.variables} onClick={() => work.mutate(false)}>
          {is_to_you ? ownershipWords.decline : ownershipWords.withdraw}
        </Button>
        {is_to_you && (
          <Button
            look="main"
            busy={work.isPending && work.variables}
            onClick={() => work.mutate(true)}
          >
            {ownershipWords.accept}
          </Button>
        )}
      </div>
      {work.error && <Failure error={work.error} />}
    </Card>
  )
}

export function Transfer({ member, onClose }: { member: Member; onClose: () => void }) {
  const business_id = useBusinessId()
  const { user_id, email } = member
  const work = useMutation({
    mutationFn: () => api.ownership.offer({ business_id, user_id }),
    onSuccess: () => {
      tell(ownershipWords.offered)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={ownershipWords.title(email)}
      description={ownershipWords.text}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {ownershipWords.offer}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
