/** The title of the browser's tab: the page, the business, and the product. */

let business = ''
let page = ''

export function setBusinessTitle(name: string): void {
  business = name
  show()
}

export function setPageTitle(title: string): void {
  if (title === page) return
  page = title
  show()
}

function show(): void {
  document.title = [page, business, 'Crier'].filter((part) => part !== '').join(' · ')
}
