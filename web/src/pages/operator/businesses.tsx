/** Every business of the installation, for its operator. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { operatorWords } from '../../words/operator.ts'
import { day, number } from '../../words/words.ts'
import { isForOthers, NotOperator, OperatorLinks } from './frame.tsx'

const from = '/$business/operator/businesses' as const

const BusinessDialog = lazyPart(() => import('./business-dialog.tsx'), 'BusinessDialog')

export type ListedBusiness = Awaited<
  ReturnType<typeof api.operator.businesses>
>['businesses'][number]

const tiers = ['free', 'growth', 'scale'] as const
type Tier = (typeof tiers)[number]

export function OperatorBusinesses() {
  const { q, tier, open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const { businesses, tierNames } = operatorWords
  const wanted = tiers.find((name) => name === tier)
  const list = useList(['operator.businesses', q, wanted], (page, options) =>
    api.operator.businesses(
      { ...page, ...(q && { search: q }), ...(wanted && { tier: wanted }) },
      options,
    ),
  )
  if (isForOthers(list.error)) {
    return (
      <Page title={businesses.title}>
        <NotOperator />
      </Page>
    )
  }
  const show = (next: Tier | undefined) =>
    void navigate({ search: { ...(q && { q }), ...(next && { tier: next }) } })
  const all = list.data?.pages.flatMap((page) => page.businesses) ?? []
  const opened = all.find(({ business_id }) => business_id === open)
  return (
    <ListPage
      title={businesses.title}
      toolbar={
        <div className="grid gap-2">
          <OperatorLinks />
          <SearchField
            label={businesses.search}
            value={q ?? ''}
            onChange={(text) =>
              void navigate({
                search: { ...(wanted && { tier: wanted }), ...(text && { q: text }) },
                replace: true,
              })
            }
          />
          <ChipRow>
            <FilterChip on={wanted === undefined} onClick={() => show(undefined)}>
              {businesses.every}
            </FilterChip>
            {tiers.map((name) => (
              <FilterChip key={name} on={wanted === name} onClick={() => show(name)}>
                {tierNames[name] ?? name}
              </FilterChip>
            ))}
          </ChipRow>
        </div>
      }
      list={list}
      rowsOf={(answer) => answer.businesses}
      idOf={({ business_id }) => business_id}
      columns={columns()}
      openId={open}
      empty={
        <Empty
          icon="search"
          action={
            <Button onClick={() => void navigate({ search: {} })}>{businesses.showAll}</Button>
          }
        >
          {businesses.none}
        </Empty>
      }
    >
      <Suspense>
        {opened && (
          <BusinessDialog
            one={opened}
            onClose={() => void navigate({ search: ({ open: _open, ...rest }) => rest })}
          />
        )}
      </Suspense>
    </ListPage>
  )
}

const columns = (): RowsColumn<ListedBusiness>[] => {
  const { businesses, tierNames } = operatorWords
  return [
    { id: 'name', header: businesses.name, cell: (one) => <Name one={one} /> },
    {
      id: 'owner',
      header: businesses.owner,
      cell: ({ owners }) => <bdi className="text-muted">{owners[0] ?? businesses.noOwner}</bdi>,
      className: 'max-lg:hidden',
    },
    {
      id: 'tier',
      header: businesses.tier,
      cell: ({ tier }) => tierNames[tier] ?? tier,
      className: 'w-24',
    },
    {
      id: 'contacts',
      header: businesses.contacts,
      cell: ({ contacts }) => number(contacts),
      className: 'w-24 text-right tabular-nums',
    },
    {
      id: 'sent',
      header: businesses.sent,
      cell: ({ emails_this_month }) => number(emails_this_month),
      className: 'w-36 text-right tabular-nums max-sm:hidden',
    },
    {
      id: 'since',
      header: businesses.since,
      cell: ({ created_at }) => day(created_at),
      className: 'w-32 max-md:hidden',
    },
  ]
}

function Name({ one: { business_id, name } }: { one: ListedBusiness }) {
  const business = useBusinessId()
  return (
    <Link
      to="/$business/operator/businesses"
      params={{ business }}
      search={(before) => ({ ...before, open: business_id })}
      className="font-medium hover:underline"
    >
      <bdi>{name}</bdi>
    </Link>
  )
}
