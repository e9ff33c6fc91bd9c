/** The engine of what is cited: the bibliography, which few open. */
import { bibtex } from '@shuffle-dp/core';
import type { LiteratureContract } from '../account/literature.ts';
import { serve } from '../engine/serve.ts';

serve<LiteratureContract>({
  *bibliography(works) {
    yield works.map(bibtex).join('\n\n');
  },
});
