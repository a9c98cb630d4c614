import { expect, test } from 'vitest'
import { type CheckLink, pieces } from '#widgets/check-field/links.rules.ts'

const terms: CheckLink = { id: 'terms', text: 'Terms' }
const privacy: CheckLink = { id: 'privacy', text: 'Privacy' }

test.each<[string, string, CheckLink[], unknown[]]>([
  ['no links', 'I agree', [], ['I agree']],
  ['in the middle', 'I accept the Terms.', [terms], ['I accept the ', terms, '.']],
  ['at both ends, whatever the order', 'Terms and Privacy', [privacy, terms], [terms, ' and ', privacy]],
  ['words that the label lacks come after it', 'I agree', [terms], ['I agree', ' ', terms]],
  ['without blanks, as in Chinese', '我同意Terms和Privacy', [terms, privacy], ['我同意', terms, '和', privacy]],
  [
    'one inside the other stays reachable',
    'Terms of use',
    [{ id: 'all', text: 'Terms of use' }, terms],
    [{ id: 'all', text: 'Terms of use' }, ' ', terms],
  ],
  ['nothing to press is left out', 'I agree', [{ id: 'x', text: '' }], ['I agree']],
])('%s', (_, label, links, cut) => {
  expect(pieces(label, links)).toEqual(cut)
})
