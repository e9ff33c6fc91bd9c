/** The entry of the command line. */
import { main } from './main.ts';

await main(process.argv);
