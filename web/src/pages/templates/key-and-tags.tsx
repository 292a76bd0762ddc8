/** The key by which programs address a template, and the tags by which people find it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { templateWords } from '../../words/lists.ts'
import { words } from '../../words/words.ts'
import type { Template } from './templates.tsx'

interface KeyAndTagsProps {
  template: Template
  onClose: () => void
}

export function KeyAndTags({ template, onClose }: KeyAndTagsProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { template_id } = template
  const w = templateWords.details
  const [key, setKey] = useState(template.key ?? '')
  const [tags, setTags] = useState(template.tags.join(', '))
  const work = useMutation({
    mutationFn: () =>
      api.template.save({ business_id, template_id, key: key.trim(), tags: tagsIn(tags) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['template.list', business_id] })
      tell(w.saved)
      onClose()
    },
  })
  const fault = faultOf(work.error)
  const tagsFault = fault('tags')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={w.title}>
      <form onSubmit={submit} className="grid gap-4">
        <Input
          label={w.key}
          hint={w.keyHint}
          maxLength={64}
          autoCapitalize="none"
          spellCheck={false}
          value={key}
          onChange={({ target }) => setKey(target.value)}
          fault={fault('key')}
        />
        <Input
          label={w.tags}
          hint={w.tagsHint}
          value={tags}
          onChange={({ target }) => setTags(target.value)}
          fault={tagsFault}
        />
        {work.error && fault('key') === undefined && tagsFault === undefined && (
          <Failure error={work.error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const tagsIn = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
