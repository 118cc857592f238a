"""What makes kmlab fast. Each module says in its first line what it is the fast form of; the plain form stands on the
student's page, and the tests of that page compare the two."""
