import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { memberWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import type { Member } from './members.tsx'

type Role = Parameters<typeof api.member.save>[0]['role']

/** Invites a person, or gives a member another role. */
export function MemberForm({ member, onClose }: { member?: Member; onClose: () => void }) {
  const business_id = useBusinessId()
  const [email, setEmail] = useState(member?.email ?? '')
  const [role, setRole] = useState(member?.role ?? 'editor')
  const members = memberWords
  const save = useMutation({
    mutationFn: () => api.member.save({ business_id, email, role: role as Role }),
    onSuccess: () => {
      tell(member ? words.saved : members.invited(email))
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={member ? members.change : members.invite}
      description={member ? undefined : members.inviteText}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Input
          label={members.email}
          type="email"
          required
          readOnly={member !== undefined}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          fault={faultOf(save.error)('email')}
        />
        <Select
          label={members.role}
          value={role}
          onChange={({ target }) => setRole(target.value)}
          options={Object.keys(members.roles).map((name) => [name, words.role[name] ?? name])}
          hint={members.roles[role]}
        />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending}>
            {member ? words.save : members.invite}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
