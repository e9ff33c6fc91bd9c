/** The entry of the command line. */
import { main } from './cli/main.ts';

await main(process.argv);
