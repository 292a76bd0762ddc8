/** The domains that mail is sent from, each with its records and their state in DNS. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Body, Page } from '../../ui/page.tsx'
import { Empty, Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { domainWords } from '../../words/domains.ts'
import { words } from '../../words/words.ts'
import { DomainCard } from './domain-card.tsx'

export function Domains() {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const [adding, setAdding] = useState(false)
  const domains = domainWords
  const list = useQuery({
    queryKey: ['domain.status', business_id],
    queryFn: ({ signal }) => api.domain.status({ business_id }, { signal }),
    refetchInterval: unlessTold(30_000),
  })
  const add = may && (
    <Button look="main" icon="plus" onClick={() => setAdding(true)}>
      {domains.add}
    </Button>
  )
  return (
    <Page title={domains.title} actions={add}>
      {list.error && (
        <Body>
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </Body>
      )}
      {list.isPending && !list.error && <Skeleton />}
      {list.data?.domains.length === 0 && (
        <Empty icon="domain" action={add}>
          {domains.empty}
        </Empty>
      )}
      {list.data && list.data.domains.length > 0 && (
        <Body>
          {list.data.domains.map(({ domain }) => (
            <DomainCard key={domain} name={domain} />
          ))}
        </Body>
      )}
      {adding && <AddDomain onClose={() => setAdding(false)} />}
    </Page>
  )
}

function AddDomain({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const [domain, setDomain] = useState('')
  const domains = domainWords
  const work = useMutation({
    mutationFn: () => api.domain.add({ business_id, domain: domain.trim() }),
    onSuccess: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={domains.add} description={domains.addText}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate()
        }}
      >
        <Input
          label={domains.name}
          required
          autoCapitalize="none"
          spellCheck={false}
          value={domain}
          onChange={({ target }) => setDomain(target.value)}
          fault={faultOf(work.error)('domain')}
        />
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {domains.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
