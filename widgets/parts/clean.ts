import createPurifier from 'dompurify'
import { mayLink, mayShow } from '#widgets/parts/address.rules.ts'

const tags =
  'p br hr h2 h3 h4 strong b em i u s a ul ol li blockquote code pre table thead tbody tr th td img figure figcaption span div'.split(' ')
const attributes = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'lang', 'dir']

const purifier = createPurifier(window)
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName === 'A') {
    if (mayLink(element.getAttribute('href') ?? '')) {
      element.setAttribute('target', '_blank')
      element.setAttribute('rel', 'noopener noreferrer')
    } else element.removeAttribute('href')
  }
  if (element.tagName === 'IMG') {
    if (mayShow(element.getAttribute('src') ?? '')) element.setAttribute('loading', 'lazy')
    else element.remove()
    if (!element.hasAttribute('alt')) element.setAttribute('alt', '')
  }
})

/** Sanitizes user-written HTML: keeps text, lists, tables, pictures and links to http(s), without scripts and styles. */
export function clean(html: string): DocumentFragment {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
}
